import { isJsonObject } from "../../clients/claude-code/wire.ts";
import { describeTime, plural } from "../../lib/describe.ts";
import { parseIfJson } from "../../lib/json.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { TextStyle } from "../../lib/style.ts";
import { padEnd, truncate } from "../../lib/terminal-text.ts";
import { mainStrand } from "../../sessions/ids.ts";
import type { DiffCall, DiffItem, DiffStretch, SessionDiff } from "../../sessions/session-diff.ts";
import { describeEvent } from "../transcript/describe-event.ts";
import { fold, renderText, type View } from "../transcript/render-part.ts";

/** Returns what an item says; an event is told as a transcript tells it. */
export function itemText({ kind, name, text, omitted }: DiffItem): string {
  const data = kind === "event" && omitted === 0 ? parseIfJson(text) : undefined;
  return isJsonObject(data) ? describeEvent(name, data) : text;
}

/** From this many columns on the sides stand beside each other. */
const columnsFrom = 100;
const gutter = " │ ";

/** Of a longer stretch the middle is folded; half as many stay at each end. */
const mostItems = 40;

/** Tells how wide each side is, and whether they stand beside each other. */
export function layOut(width: number): { readonly beside: boolean; readonly side: number } {
  const beside = Number.isFinite(width) && width >= columnsFrom;
  return { beside, side: beside ? Math.floor((width - gutter.length) / 2) : width };
}

/** Renders a stretch of both own parts. Ends with an empty line. */
export function renderStretch({ left, right }: SessionDiff, stretch: DiffStretch, view: View): string {
  const ours = left.items.slice(stretch.left.from, stretch.left.to);
  const theirs = right.items.slice(stretch.right.from, stretch.right.to);
  if (stretch.same) return renderSame(ours, view);
  const { beside, side } = layOut(view.width);
  const narrow = { ...view, width: side };
  if (beside) return renderBeside(renderItems(ours, narrow), renderItems(theirs, narrow), narrow);
  return [
    ...(ours.length === 0 ? [] : [view.style.bold(view.style.cyan("A")), ...renderItems(ours, view), ""]),
    ...(theirs.length === 0
      ? []
      : [view.style.bold(view.style.yellow("B")), ...renderItems(theirs, view), ""]),
  ]
    .join("\n")
    .concat("\n");
}

/** Renders two columns, line by line. */
export function renderBeside(
  left: readonly string[],
  right: readonly string[],
  { width, style }: Pick<View, "width" | "style">,
): string {
  const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
    `${padEnd(left[index] ?? "", width)}${style.dim(gutter)}${right[index] ?? ""}`.trimEnd(),
  );
  return `${lines.join("\n")}\n${padEnd("", width)}${style.dim(gutter).trimEnd()}\n`;
}

function renderItems(items: readonly DiffItem[], view: View): readonly string[] {
  if (view.full || items.length <= mostItems) return items.flatMap((item) => renderItem(item, view));
  const half = mostItems / 2;
  const folded = view.style.dim(
    `… ${plural(items.length - mostItems, "more entry", "more entries")} (--full)`,
  );
  return [
    ...items.slice(0, half).flatMap((item) => renderItem(item, view)),
    folded,
    ...items.slice(-half).flatMap((item) => renderItem(item, view)),
  ];
}

/** What both say is told once: by its first line each, unless everything is wanted. */
function renderSame(items: readonly DiffItem[], view: View): string {
  const { style, full } = view;
  const heading = style.dim(`═ ${plural(items.length, "entry", "entries")}, the same in both`);
  const few = items.slice(0, full ? items.length : 3);
  const lines = few.flatMap((item) => (full ? renderItem(item, view) : renderShortly(item, view)));
  const folded = items.length - few.length;
  return `${[heading, ...lines, ...(folded === 0 ? [] : [style.dim(`  … ${folded} more`)])].join("\n")}\n\n`;
}

function renderShortly(item: DiffItem, view: View): readonly string[] {
  const text = fold(itemText(item).trim(), view.width - 2);
  return [renderHeading(item, view), ...(text === "" ? [] : [`  ${text}`])];
}

/** More lines of a text, and more tool calls of an entry, are folded. */
const [mostLines, mostCalls] = [8, 8];

/** Renders what a side did as lines that fit the width. */
function renderItem(item: DiffItem, view: View): readonly string[] {
  return [renderHeading(item, view), ...renderBody(item, view), ...renderCalls(item.calls, view)];
}

/** Renders who or what it was and when, on one line. */
function renderHeading(item: DiffItem, { style, width }: View): string {
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
