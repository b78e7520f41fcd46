import type { Entry, EntryContent, MessageContent } from "../../conversation/entry.ts";
import { mainStrand } from "../../conversation/ids.ts";
import { toSeenMessage } from "../../conversation/observations.ts";
import { isScrubNote } from "../../conversation/scrub-note.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { truncate } from "../../lib/terminal-text.ts";
import { plural } from "../plural.ts";
import type { TextStyle } from "../style.ts";
import { describeTime } from "./describe-time.ts";
import { renderPart, renderText, type View } from "./render-part.ts";

/** Renders an entry of a transcript: a heading, and below it what was said and done. Ends with an empty line. */
export function renderEntry(entry: Entry, place: string | undefined, view: View): string {
  const { style } = view;
  const heading = [
    ...(entry.strand === mainStrand ? [] : [entry.strand]),
    ...(entry.kind === "message" && entry.model !== undefined ? [entry.model] : []),
    describeTime(entry.at),
  ].join(" · ");
  const seen = toSeenMessage(entry);
  const name = seen === undefined ? describeKind(entry) : `${seen.role}, as a hook saw it`;
  const line = `${roleStyle(seen ?? entry, view)(toPrintableLine(name))} ${style.dim(toPrintableLine(`#${entry.seq} · ${heading}`))}`;
  const mark = place === undefined ? "" : `${style.yellow(`↳ ${place}`)}\n`;
  const body = renderBody(seen ?? entry, view);
  return `${mark}${line}\n${body === "" ? "" : `${body}\n`}\n`;
}

function renderBody(entry: EntryContent, view: View): string {
  switch (entry.kind) {
    case "message":
      return entry.parts.map((part) => renderPart(part, view)).join("\n");
    case "summary":
      return renderText(entry.text, view);
    case "event":
      return view.full || !isScrubNote({ event: entry.event, data: entry.data })
        ? renderData(entry.data, view)
        : renderNote(entry.data.entries as readonly unknown[], view);
    case "round":
      return renderData(entry.data, view);
    case "checkpoint":
      return renderData(entry.state, view);
    case "other":
      return renderData(entry.raw, view);
  }
}

/** Says how many entries were scrubbed; which they are is of use to `verify` only. */
function renderNote(entries: readonly unknown[], { style }: View): string {
  return `  ${style.dim(`A secret was taken out of ${plural(entries.length, "entry", "entries")}.`)}`;
}

/** Shows what a machine recorded: one line, or all of it on demand; nothing for an empty object. */
function renderData(data: object, view: View): string {
  if (Object.keys(data).length === 0) return "";
  if (view.full) return renderText(JSON.stringify(data, null, 2), view, view.style.dim);
  const width = Number.isFinite(view.width) ? view.width - 2 : 160;
  return `  ${view.style.dim(truncate(toPrintableLine(JSON.stringify(data).slice(0, 4 * width)), width))}`;
}

function describeKind(content: EntryContent): string {
  switch (content.kind) {
    case "message":
      return content.role;
    case "event":
      return content.event;
    case "round":
      return `round ${content.number}`;
    case "summary":
    case "checkpoint":
    case "other":
      return content.kind;
  }
}

const roleStyles = { user: "cyan", assistant: "green", tool: "yellow" } as const satisfies Record<
  MessageContent["role"],
  keyof View["style"]
>;

function roleStyle(content: EntryContent, { style }: View): TextStyle {
  if (content.kind !== "message") return style.dim;
  const color = style[roleStyles[content.role]];
  return (text) => style.bold(color(text));
}
