import { toPrintableLine } from "../../../lib/printable.ts";
import type { Style } from "../../../lib/style.ts";
import { truncate } from "../../../lib/terminal-text.ts";
import { spinnerFrame } from "../../spinner-frame.ts";

/** More wait unseen. */
const shownQueued = 3;

/** Says what goes on, how long it has, and how to stop it. */
export function renderActivity(
  activity: string,
  seconds: number,
  width: number,
  style: Style,
): readonly string[] {
  const told = `${activity}${seconds === 0 ? "" : ` · ${seconds} s`} · Ctrl+C stops`;
  return [`${style.cyan(spinnerFrame())} ${style.dim(truncate(told, width - 2))}`];
}

/** Shows what was typed while something ran, and waits. */
export function renderQueued(waiting: readonly string[], width: number, style: Style): readonly string[] {
  const hidden = waiting.length - shownQueued;
  return [
    ...waiting.slice(0, shownQueued).map((text) => truncate(`queued: ${toPrintableLine(text)}`, width)),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
  ].map((line) => style.dim(line));
}
