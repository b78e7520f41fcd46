import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Something that changed the folder of a session, in the order in which it happened. */
export type Change =
  | { readonly kind: "edit"; readonly file: string; readonly at: string }
  | { readonly kind: "discard"; readonly file: string; readonly at: string }
  | { readonly kind: "commit"; readonly sha: string; readonly subject: string; readonly at: string };

/** What a transcript holds, as far as baselines and the folder of a case need it. */
export interface Talk {
  /** What was said, each with who said it. */
  readonly said: readonly string[];
  readonly prompts: readonly string[];
  readonly answers: readonly string[];
  /** The client's own summaries, where it made the conversation shorter. */
  readonly summaries: readonly string[];
  readonly changes: readonly Change[];
  /** Every text, what tools were asked and what they answered among them. */
  readonly everything: readonly string[];
  readonly branch: string | undefined;
  readonly first: string;
  readonly last: string;
}

interface Row {
  readonly type?: string;
  readonly uuid?: string;
  readonly timestamp?: string;
  readonly gitBranch?: string;
  readonly isSidechain?: boolean;
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  readonly content?: unknown;
  readonly message?: { readonly content?: string | readonly Block[] };
}

interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: {
    readonly command?: string;
    readonly file_path?: string;
    readonly notebook_path?: string;
  };
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly Block[];
}

/** Reads the lines of a compressed transcript that are not empty. */
export function readLines(path: string): readonly string[] {
  return gunzipSync(readFileSync(path))
    .toString()
    .split("\n")
    .filter((line) => line.trim() !== "");
}

/** Reads a conversation; lines that are no JSON, which real transcripts have, are passed over. */
export function readTalk(lines: readonly string[]): Talk {
  const rows = lines.flatMap(parseRow);
  const times = rows.flatMap(({ timestamp }) => (timestamp === undefined ? [] : [timestamp]));
  const parts = rows.filter(isSaid).flatMap((row) => blocksOf(row).map((block) => ({ row, block })));
  const spoken = parts.filter(isSpoken);
  return {
    said: spoken.map(({ row, block }) => `${row.type === "user" ? "User" : "Assistant"}: ${block.text}`),
    prompts: spoken.filter(({ row }) => row.type === "user").map(textOf),
    answers: spoken.filter(({ row }) => row.type === "assistant").map(textOf),
    summaries: parts
      .filter(({ row, block }) => row.isCompactSummary && !row.isMeta && isText(block))
      .map(textOf),
    changes: findChanges(parts),
    everything: [...rows.flatMap(queuedText), ...parts.flatMap(({ block }) => wholeText(block))],
    branch: rows.findLast(({ gitBranch }) => gitBranch)?.gitBranch,
    first: times[0] ?? "",
    last: times.at(-1) ?? "",
  };
}

/** Returns the text of each row that was said, by its id. */
export function readTexts(lines: readonly string[]): readonly (readonly [id: string, text: string])[] {
  return lines.flatMap(parseRow).flatMap((row) => {
    const text = isSaid(row) ? blocksOf(row).flatMap(wholeText).join("\n") : "";
    return text.trim() === "" || row.uuid === undefined ? [] : [[row.uuid, text] as const];
  });
}

function parseRow(line: string): readonly Row[] {
  try {
    return [JSON.parse(line) as Row];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

interface Part {
  readonly row: Row;
  readonly block: Block;
}

function isSaid({ isSidechain, type }: Row): boolean {
  return isSidechain !== true && (type === "user" || type === "assistant");
}

function blocksOf({ message }: Row): readonly Block[] {
  const content = message?.content ?? [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function isText({ type }: Block): boolean {
  return type === "text";
}

const byTheClient = /^<(system-reminder|local-command|command-|task-notification|bash-)/;

/** Tells whether somebody said this, and not the client. */
function isSpoken({ row, block }: Part): boolean {
  if (!isText(block) || row.isMeta || row.isCompactSummary) return false;
  const text = (block.text ?? "").trim();
  return text !== "" && !byTheClient.test(text);
}

function textOf({ block }: Part): string {
  return block.text ?? "";
}

function queuedText({ type, content }: Row): readonly string[] {
  return type === "queue-operation" && typeof content === "string" ? [content] : [];
}

function wholeText(block: Block): readonly string[] {
  if (block.type === "text") return [block.text ?? ""];
  if (block.type === "tool_result") return [resultText(block)];
  if (block.type !== "tool_use") return [];
  return [
    JSON.stringify(block.input ?? {})
      .replaceAll("\\n", "\n")
      .replaceAll('\\"', '"'),
  ];
}

function resultText({ content = "" }: Block): string {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}

const editors = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
const committing = /git .*commit/s;
const elsewhere = /cd \/tmp/;
const committed = /^\[\S+(?: \(root-commit\))? ([0-9a-f]{7,12})\] (.+)$/gm;

/** Finds edits that went well, and commits that git reported. */
function findChanges(parts: readonly Part[]): readonly Change[] {
  const calls = new Map(parts.flatMap(({ block }) => (block.type === "tool_use" ? [[block.id, block]] : [])));
  return parts.flatMap(({ row, block }): readonly Change[] => {
    const call = block.type === "tool_result" ? calls.get(block.tool_use_id) : undefined;
    if (call === undefined) return [];
    const at = row.timestamp ?? "";
    if (editors.has(call.name ?? "")) return editOf(call, block, at);
    return call.name === "Bash" ? changesOf(call.input?.command ?? "", resultText(block), at) : [];
  });
}

function editOf({ input }: Block, { is_error }: Block, at: string): readonly Change[] {
  const file = input?.file_path ?? input?.notebook_path;
  return is_error === true || file === undefined ? [] : [{ kind: "edit", file, at }];
}

function changesOf(command: string, output: string, at: string): readonly Change[] {
  const file = /^git checkout (?:-- )?(\S+\.\w+)$/.exec(command)?.[1];
  if (file !== undefined) return [{ kind: "discard", file, at }];
  if (!committing.test(command) || elsewhere.test(command)) return [];
  const quiet = /commit -[a-z]*q[a-z]* '([^']+)'/.exec(command)?.[1];
  if (quiet !== undefined) return [{ kind: "commit", sha: "", subject: quiet, at }];
  return [...output.matchAll(committed)].map(([, sha = "", subject = ""]) => ({
    kind: "commit",
    sha,
    subject,
    at,
  }));
}
