import { plural } from "../../lib/plural.ts";
import { padEnd } from "../../lib/terminal-text.ts";
import type { DiffItem, DiffStretch, SessionDiff } from "../../sessions/session-diff.ts";
import { fold, type View } from "../transcript/render-part.ts";
import { itemText } from "./item-text.ts";
import { renderHeading, renderItem } from "./render-item.ts";

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
