import type { Json, Part } from "../../conversation/entry.ts";
import { formatBytes } from "../../lib/format-bytes.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import { truncate, wrap } from "../../lib/terminal-text.ts";
import type { Style, TextStyle } from "../style.ts";
import { shorten } from "./shorten.ts";

/** How a transcript is shown. */
export interface View {
  /** In columns; infinite in a pipe, where nothing is wrapped. */
  readonly width: number;
  readonly style: Style;
  /** Whether tool calls and their results are shown in full. */
  readonly full: boolean;
}

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
      return renderText(part.text, view, style.dim);
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
      return (
        indent + style.dim(fold(`[${String(part.raw.type ?? "other")}] ${JSON.stringify(part.raw)}`, view))
      );
  }
}

/** Renders recorded text: printable, wrapped and indented, each line styled on its own. */
export function renderText(
  text: string,
  { width }: View,
  style: TextStyle = (line) => line,
  margin = indent,
): string {
  const lines = wrap(toPrintable(text), width, margin).split("\n");
  return lines.map((line) => (line === "" ? line : style(line))).join("\n");
}

function renderCall(name: string, input: Json, view: View): string {
  const shown = toPrintableLine(name);
  if (view.full)
    return `${renderText(`→ ${shown}`, view, view.style.yellow)}\n${renderText(toText(input), view)}`;
  const line = fold(`→ ${name}  ${describeInput(input)}`, view);
  return indent + view.style.yellow(line);
}

/** Writes the input of a tool as people would: `command: npm test, timeout: 10`. */
function describeInput(input: Json): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return JSON.stringify(input);
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

function renderResult(output: Json, failed: boolean, view: View): string {
  const { style } = view;
  const { text, leftOut } = view.full ? { text: toText(output), leftOut: "" } : shorten(toText(output));
  const [first = "", ...others] = renderText(text, view, style.dim, resultIndent).split("\n");
  const mark = failed ? style.red("✗") : style.dim("←");
  const lines = [`${indent}${mark} ${first.replace(resultIndent, "")}`.trimEnd(), ...others];
  return [...lines, ...(leftOut === "" ? [] : [resultIndent + style.dim(`… ${leftOut}`)])].join("\n");
}

function toText(value: Json): string {
  return typeof value === "string" ? value.replace(/^\n+|\s+$/g, "") : JSON.stringify(value, null, 2);
}

/** Puts a text on one line that fits. */
function fold(text: string, { width }: View): string {
  const room = Number.isFinite(width) ? width - indent.length : foldedWidth;
  // Cut roughly first: the text may be megabytes long, and only a line of it is shown.
  return truncate(toPrintableLine(text.slice(0, 4 * room)).replace(/ {2,}/g, "  "), room);
}
