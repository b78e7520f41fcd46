import { isJsonObject, textOf } from "../../clients/claude-code/wire.ts";
import { formatBytes } from "../../lib/describe.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import type { Style, TextStyle } from "../../lib/style.ts";
import { textWidth, truncate, wrap } from "../../lib/terminal-text.ts";
import type { Json, JsonObject, Part } from "../../sessions/entry.ts";
import { describeValue, listValue, toOutputText } from "./describe-value.ts";

/** How a transcript is shown. */
export interface View {
  /** In columns; infinite in a pipe, where nothing is wrapped. */
  readonly width: number;
  readonly style: Style;
  /** Whether tool calls and their results are shown in full. */
  readonly full: boolean;
  /** The machine at hand: another one is told. */
  readonly machine: string;
  /** Marks what was looked for in a line, before it is coloured. */
  readonly mark?: TextStyle;
}

const same: TextStyle = (text) => text;
const indent = "  ";
const resultIndent = "    ";
/** In a pipe there is no width to cut a folded tool call at. */
const foldedWidth = 160;

/** Renders one part of a message, indented and without a newline at the end. */
export function renderPart(part: Part, view: View): string {
  const { style } = view;
  switch (part.type) {
    case "text":
      return renderText(part.text, view);
    case "thinking":
      return renderThinking(part.text, view);
    case "tool-call":
      return renderCall(part.name, part.input, view);
    case "tool-result":
      return renderResult(part.output, part.failed === true, view);
    case "image":
    case "file": {
      const size = part.bytes === undefined ? [] : [formatBytes(part.bytes)];
      const facts = [part.type, part.name ?? part.location ?? "", part.mediaType, ...size];
      return indent + style.dim(toPrintableLine(`[${facts.filter((fact) => fact !== "").join(" ")}]`));
    }
    case "other":
      return renderOther(part.raw, view);
  }
}

/** Renders recorded text: printable, wrapped and indented, each line styled on its own. */
export function renderText(
  text: string,
  { width, mark = same }: View,
  style: TextStyle = same,
  margin = indent,
): string {
  const lines = wrap(toPrintable(text), width, margin).split("\n");
  return lines.map((line) => (line === "" ? line : style(mark(line)))).join("\n");
}

/** In a pipe nothing is dim, so that words have to tell thinking from what was said. */
function renderThinking(text: string, view: View): string {
  return renderFolded(view.style.dim("thinking:"), text, view);
}

function renderCall(name: string, input: Json, view: View): string {
  const { style, full, width, mark = same } = view;
  if (!full)
    return indent + style.yellow(mark(fold(`→ ${name}  ${describeValue(input)}`, width - indent.length)));
  const call = renderText(`→ ${toPrintableLine(name)}`, view, style.yellow);
  const fields = renderText(listValue(input), view, undefined, resultIndent);
  return isJsonObject(input) && Object.keys(input).length === 0 ? call : `${call}\n${fields}`;
}

function renderResult(output: Json, failed: boolean, view: View): string {
  const { style } = view;
  const text = toOutputText(output);
  const mark = failed ? style.red("✗") : style.dim("←");
  return renderFolded(mark, text === "" ? "(no output)" : text, view);
}

/** Renders a text behind a mark: its first lines, or all of it on demand. */
function renderFolded(mark: string, whole: string, view: View): string {
  const { style } = view;
  const { text, leftOut } = view.full ? { text: whole, leftOut: "" } : shorten(whole);
  // The first line has the mark before it, which may be wider than the margin of the others.
  const hanging = " ".repeat(Math.max(0, textWidth(mark) + 1 - indent.length));
  const [first = "", ...others] = renderText(hanging + text, view, style.dim, resultIndent).split("\n");
  const start = first.replace(resultIndent + hanging, "");
  const lines = [`${indent}${mark} ${start}`.trimEnd(), ...others];
  return [...lines, ...(leftOut === "" ? [] : [resultIndent + style.dim(`… ${leftOut}`)])].join("\n");
}

/** Renders a part that only a client or a newer version knows. */
function renderOther(raw: JsonObject, view: View): string {
  const { style, full, width } = view;
  const { type = "other", outcome } = raw;
  if (type === "tool-outcome" && isJsonObject(outcome)) return renderOutcome(outcome, view);
  const { type: _type, ...facts } = raw;
  const name = `[${describeValue(type)}]`;
  if (!full) return indent + style.dim(fold(`${name} ${describeValue(facts)}`, width - indent.length));
  const fields = renderText(listValue(facts), view, style.dim, resultIndent);
  return `${renderText(name, view, style.dim)}\n${fields}`;
}

function renderOutcome(outcome: JsonObject, view: View): string {
  const { style, full, width } = view;
  const told = `· ${describeOutcome(outcome)}`;
  if (!full) return indent + style.dim(fold(told, width - indent.length));
  const patch = listPatch(outcome.structuredPatch ?? []).join("\n");
  const below = patch === "" ? [] : [renderText(patch, view, style.dim, resultIndent)];
  return [renderText(told, view, style.dim), ...below].join("\n");
}

/** Puts a text on one line that fits; in a pipe it is cut at a width of its own. */
export function fold(text: string, width: number): string {
  const room = Number.isFinite(width) ? width : foldedWidth;
  // Cut roughly first: the text may be megabytes long, and only a line of it is shown.
  return truncate(toPrintableLine(text.slice(0, 4 * room)).replace(/ {2,}/g, "  "), room);
}

const maxLines = 10;
const maxCharacters = 1000;

interface Shortened {
  readonly text: string;
  /** Says how much is missing; empty when nothing is. */
  readonly leftOut: string;
}

/** Cuts a long text after a few lines and says how much was left out. */
function shorten(text: string): Shortened {
  const lines = text.slice(0, maxCharacters).split("\n");
  const isCut = text.length > maxCharacters || lines.length > maxLines;
  if (!isCut) return { text, leftOut: "" };
  const kept = lines.slice(0, maxLines).join("\n").toWellFormed();
  const rest = text.slice(kept.length);
  const lineCount = rest.split("\n").length - 1;
  const size = formatBytes(Buffer.byteLength(rest));
  return {
    text: kept,
    leftOut:
      lineCount === 0 ? `${size} more` : `${lineCount} more ${lineCount === 1 ? "line" : "lines"}, ${size}`,
  };
}

type Teller = (value: Json, outcome: JsonObject) => string | undefined;

const named =
  (name: string): Teller =>
  (value) =>
    describeValue({ [name]: value });
const silent: Teller = () => undefined;

/** How each thing is told that a client knows of the outcome of a tool; what is not here is told by its name. */
const tellers: Readonly<Record<string, Teller>> = {
  type: silent,
  filePath: (path, outcome) => `${outcome.type === "create" ? "new file" : "file"} ${describeValue(path)}`,
  structuredPatch: (patch) => countLines(patch),
  userModified: () => "changed by the user before it was written",
  interrupted: () => "interrupted",
  returnCodeInterpretation: (meaning) => describeValue(meaning),
  backgroundTaskId: (id) => `goes on in the background as ${describeValue(id)}`,
  persistedOutputPath: (path, { persistedOutputSize: size }) =>
    `whole output in ${describeValue(path)}${typeof size === "number" ? ` (${formatBytes(size)})` : ""}`,
  persistedOutputSize: silent,
  agentId: (id, outcome) => `subagent ${textOf(outcome, "agentType") ?? ""} ${describeValue(id)}`,
  agentType: silent,
  totalDurationMs: describeDuration,
  durationMs: describeDuration,
  totalTokens: (count) => `${describeValue(count)} tokens`,
  totalToolUseCount: (count) => `${describeValue(count)} tool calls`,
  denied: (by) => `not allowed (${describeValue(by)})`,
};

/** Says in one line what a client knows of the outcome of a tool beside its output. */
function describeOutcome(outcome: JsonObject): string {
  return Object.entries(outcome)
    .flatMap(([name, value]) => (tellers[name] ?? named(name))(value, outcome) ?? [])
    .join(", ");
}

/** Returns the lines of a patch, with their signs. */
function listPatch(patch: Json): readonly string[] {
  const hunks = Array.isArray(patch) ? patch.filter(isJsonObject) : [];
  return hunks.flatMap(({ lines }) =>
    Array.isArray(lines) ? lines.filter((line) => typeof line === "string") : [],
  );
}

function countLines(patch: Json): string {
  const lines = listPatch(patch);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return `+${count("+")} −${count("-")} lines`;
}

function describeDuration(value: Json): string | undefined {
  return typeof value === "number" ? `${(value / 1000).toFixed(1)} s` : undefined;
}
