import { isObject } from "../../lib/field-readers.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import type { Entry, EntryContent, Json, JsonObject, Part } from "../../sessions/entry.ts";
import { toSeenMessage } from "../../sessions/observations.ts";

/** A piece of a session as a page shows it. */
export type Piece =
  /** What somebody said, in Markdown. */
  | { readonly type: "words"; readonly text: string }
  /** What is folded away until it is wanted: a call, a result, a thought. */
  | {
      readonly type: "folded";
      readonly label: string;
      /** A few words beside the label, such as the command. */
      readonly hint: string;
      readonly text: string;
      /** What the text is written in; undefined for plain text. */
      readonly language: string | undefined;
      readonly isFailure: boolean;
    }
  /** Something that happened, on one line. */
  | { readonly type: "note"; readonly text: string };

/** An entry as a page shows it. */
export interface Passage {
  /** Who it is by; undefined for what happened. */
  readonly speaker: "user" | "assistant" | "tool" | undefined;
  readonly at: Date;
  readonly strand: string;
  readonly model: string | undefined;
  readonly pieces: readonly Piece[];
}

/** Turns an entry into what a page shows of it; every character that could mislead is made visible. */
export function toPassage(entry: Entry): Passage {
  const content = toSeenMessage(entry) ?? entry;
  const isMessage = content.kind === "message";
  return {
    speaker: isMessage ? content.role : undefined,
    at: entry.at,
    strand: entry.strand,
    model: isMessage && content.model !== undefined ? toPrintableLine(content.model) : undefined,
    pieces: listPieces(content).map(toPrintablePiece),
  };
}

const cutOff = "It was cut off here.";

function listPieces(content: EntryContent): readonly Piece[] {
  switch (content.kind) {
    case "message":
      return [
        ...content.parts.map(toPiece),
        ...(content.interrupted === true ? [{ type: "note", text: cutOff } as const] : []),
      ];
    case "summary":
      return [folded("Summary", "what came before, in short", content.text, "markdown")];
    case "round":
      return [
        folded(`Round ${content.number}`, textOf(content.data.instruction), toJson(content.data), "json"),
      ];
    case "checkpoint":
      return [folded("Checkpoint", textOf(content.state.working_on), toJson(content.state), "json")];
    case "event":
      return [{ type: "note", text: describeEvent(content.event, content.data) }];
    case "other":
      return [
        folded("Record", textOf(content.raw.kind) || textOf(content.raw.type), toJson(content.raw), "json"),
      ];
  }
}

function toPiece(part: Part): Piece {
  switch (part.type) {
    case "text":
      return { type: "words", text: part.text };
    case "thinking":
      return folded("Thinking", firstLine(part.text), part.text, undefined);
    case "tool-call":
      return toCall(part.name, part.input);
    case "tool-result": {
      const text = toOutput(part.output);
      const isFailure = part.failed === true;
      return { ...folded(isFailure ? "Failed" : "Result", firstLine(text), text, undefined), isFailure };
    }
    case "image":
    case "file":
      return { type: "note", text: `${part.type} ${part.name ?? part.location ?? part.mediaType}` };
    case "other":
      return folded("Record", textOf(part.raw.type), toJson(part.raw), "json");
  }
}

function folded(
  label: string,
  hint: string,
  text: string,
  language: string | undefined,
): Extract<Piece, { type: "folded" }> {
  return { type: "folded", label, hint, text, language, isFailure: false };
}

/** A command is shown as such, a file with its content, anything else as JSON. */
function toCall(name: string, input: Json): Piece {
  const fields: JsonObject = isObject(input) ? (input as JsonObject) : {};
  const path = textOf(fields.file_path) || textOf(fields.path) || textOf(fields.notebook_path);
  if (typeof fields.command === "string")
    return folded(name, firstLine(fields.command), fields.command, "bash");
  if (typeof fields.content === "string" && path !== "")
    return folded(name, path, fields.content, languageOf(path));
  if (typeof fields.old_string === "string" && typeof fields.new_string === "string")
    return folded(name, path, toDiff(fields.old_string, fields.new_string), "diff");
  const hint =
    path ||
    textOf(fields.pattern) ||
    textOf(fields.query) ||
    textOf(fields.url) ||
    textOf(fields.description);
  return folded(name, firstLine(hint), toJson(input), "json");
}

function toDiff(before: string, after: string): string {
  const mark = (sign: string, text: string) => text.split("\n").map((line) => `${sign}${line}`);
  return [...mark("-", before), ...mark("+", after)].join("\n");
}

const endings: Readonly<Record<string, string>> = {
  ...{
    ts: "typescript",
    tsx: "typescript",
    js: "javascript",
    mjs: "javascript",
    cjs: "javascript",
    jsx: "javascript",
  },
  ...{
    py: "python",
    rs: "rust",
    go: "go",
    rb: "ruby",
    java: "java",
    kt: "kotlin",
    c: "c",
    h: "c",
    cpp: "cpp",
    cs: "csharp",
  },
  ...{
    sh: "bash",
    css: "css",
    html: "xml",
    xml: "xml",
    json: "json",
    yaml: "yaml",
    yml: "yaml",
    md: "markdown",
    sql: "sql",
  },
};

function languageOf(path: string): string | undefined {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(endings, ending) ? endings[ending] : undefined;
}

/** Returns what a tool answered as it would be read: its output, not the form in which it was handed over. */
function toOutput(output: Json): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.map((block: Json) => toOutput(block)).join("\n");
  const { stdout, stderr, text } = isObject(output) ? output : {};
  if (typeof stdout === "string") return [stdout, textOf(stderr)].filter((each) => each !== "").join("\n");
  return typeof text === "string" ? text : toJson(output);
}

function describeEvent(event: string, data: JsonObject): string {
  const fields = Object.entries(data).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return firstLine(fields.length === 0 ? event : `${event} (${fields.join(", ")})`);
}

function toJson(value: Json): string {
  return JSON.stringify(value, null, 2);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const hintLength = 120;

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length > hintLength ? `${line.slice(0, hintLength)}…` : line;
}

function toPrintablePiece(piece: Piece): Piece {
  if (piece.type !== "folded") return { ...piece, text: toPrintable(piece.text) };
  const { label, hint, text } = piece;
  return { ...piece, label: toPrintableLine(label), hint: toPrintableLine(hint), text: toPrintable(text) };
}
