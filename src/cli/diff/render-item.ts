import { describeTime } from "../../lib/describe-time.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { TextStyle } from "../../lib/style.ts";
import { truncate } from "../../lib/terminal-text.ts";
import { mainStrand } from "../../sessions/ids.ts";
import type { DiffCall, DiffItem } from "../../sessions/session-diff.ts";
import { fold, renderText, type View } from "../transcript/render-part.ts";
import { itemText } from "./item-text.ts";

/** More lines of a text, and more tool calls of an entry, are folded. */
const [mostLines, mostCalls] = [8, 8];

/** Renders what a side did as lines that fit the width. */
export function renderItem(item: DiffItem, view: View): readonly string[] {
  return [renderHeading(item, view), ...renderBody(item, view), ...renderCalls(item.calls, view)];
}

/** Renders who or what it was and when, on one line. */
export function renderHeading(item: DiffItem, { style, width }: View): string {
  const name = toPrintableLine(item.name);
  const rest = [`#${item.seq}`, ...(item.strand === mainStrand ? [] : [item.strand]), describeTime(item.at)];
  const line = toPrintableLine(`${name} ${rest.join(" · ")}`);
  if (!Number.isFinite(width)) return `${nameStyle(item, style)(name)} ${style.dim(rest.join(" · "))}`;
  const cut = truncate(line, width);
  return `${nameStyle(item, style)(cut.slice(0, name.length))}${style.dim(cut.slice(name.length))}`;
}

const colors = { user: "cyan", assistant: "green", tool: "yellow" } as const;

function nameStyle({ name }: DiffItem, style: View["style"]): TextStyle {
  const color = Object.hasOwn(colors, name) ? style[colors[name as keyof typeof colors]] : undefined;
  return color === undefined ? style.dim : (text) => style.bold(color(text));
}

function renderBody(item: DiffItem, view: View): readonly string[] {
  const text = itemText(item);
  if (text.trim() === "") return [];
  if (item.kind === "event" && !view.full) return [`  ${fold(text, view.width - 2)}`];
  const lines = renderText(text, view).split("\n");
  const isFolded = !view.full && lines.length > mostLines;
  const shown = isFolded ? lines.slice(0, mostLines) : lines;
  const missing = describeMissing(lines.length - shown.length, item.omitted);
  return missing === "" ? shown : [...shown, view.style.dim(`  … ${missing}`)];
}

function describeMissing(lines: number, characters: number): string {
  const parts = [
    ...(lines > 0 ? [plural(lines, "more line")] : []),
    ...(characters > 0 ? [plural(characters, "more character")] : []),
  ];
  return parts.join(" and ");
}

function renderCalls(calls: readonly DiffCall[], view: View): readonly string[] {
  const { full, style, width } = view;
  const shown = full ? calls : calls.slice(0, mostCalls);
  const folded = calls.length - shown.length;
  return [
    ...shown.flatMap((call) => renderCall(call, view)),
    ...(folded === 0 ? [] : [style.dim(truncate(`  … ${plural(folded, "more tool call")}`, width))]),
  ];
}

function renderCall({ name, input, outcome, said }: DiffCall, { style, width }: View): readonly string[] {
  const [mark, color] =
    outcome === "failed" ? ["✗", style.red] : outcome === "open" ? ["?", style.yellow] : ["→", style.yellow];
  const line = `  ${color(fold(`${mark} ${name}  ${input}`.trimEnd(), width - 2))}`;
  return said === "" ? [line] : [line, `    ${style.dim(fold(said, width - 4))}`];
}
