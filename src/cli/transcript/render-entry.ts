import { describeTime } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { TextStyle } from "../../lib/style.ts";
import { textWidth } from "../../lib/terminal-text.ts";
import type { Entry, EntryContent, EventContent, JsonObject, MessageContent } from "../../sessions/entry.ts";
import { mainStrand } from "../../sessions/ids.ts";
import { toSeenMessage } from "../../sessions/observations.ts";
import { describeEvent, listConflicts } from "./describe-event.ts";
import { describeValue, listValue } from "./describe-value.ts";
import { fold, renderPart, renderText, type View } from "./render-part.ts";

/**
 * Renders an entry of a transcript: a heading, and below it what was said and done. Ends with an empty line.
 *
 * What happened beside the talk is told in the heading, on one line.
 */
export function renderEntry(entry: Entry, place: string | undefined, view: View): string {
  const mark = place === undefined ? "" : `${view.style.yellow(`↳ ${place}`)}\n`;
  return `${mark}${renderContent(entry, view)}\n\n`;
}

function renderContent(entry: Entry, view: View): string {
  switch (entry.kind) {
    case "message":
      return withBody(entry, entry, view);
    case "summary":
      return joinLines(renderHeading(entry, entry, view), renderText(entry.text, view));
    case "event": {
      const seen = toSeenMessage(entry);
      return seen === undefined ? renderEvent(entry, view) : withBody(entry, seen, view);
    }
    case "round":
      return renderFacts(entry, entry.data, describeValue(entry.data), view);
    case "checkpoint":
      return renderFacts(entry, entry.state, describeValue(entry.state), view);
    case "other":
      return renderFacts(entry, entry.raw, describeValue(entry.raw), view);
  }
}

function withBody(entry: Entry, message: MessageContent, view: View): string {
  const parts = message.parts.map((part) => renderPart(part, view));
  return joinLines(renderHeading(entry, message, view), ...parts);
}

function renderEvent(entry: Entry & EventContent, view: View): string {
  const facts = renderFacts(entry, entry.data, describeEvent(entry.event, entry.data), view);
  const conflicts = view.full ? [] : listConflicts(entry.event, entry.data);
  return joinLines(facts, ...conflicts.map((line) => renderText(`! ${line}`, view, view.style.yellow)));
}

/** Tells what a machine recorded on the line of the heading, or all of it below on demand. */
function renderFacts(entry: Entry, facts: JsonObject, told: string, view: View): string {
  const heading = renderHeading(entry, entry, view);
  if (Object.keys(facts).length === 0 || (told === "" && !view.full)) return heading;
  if (view.full) return joinLines(heading, renderText(listValue(facts), view, view.style.dim));
  const room = view.width - textWidth(describeHeading(entry, entry)) - 2;
  if (room < narrow) return joinLines(heading, `  ${fold(told, view.width - 2)}`);
  return `${heading}  ${fold(told, room)}`;
}

/** With less room beside a heading, what happened is told below it. */
const narrow = 30;

function joinLines(...lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}

/** Renders who or what an entry is, its number, where it belongs and when it was. */
function renderHeading(entry: Entry, content: EntryContent, view: View): string {
  const name = toPrintableLine(describeKind(content));
  const rest = describeHeading(entry, content).slice(name.length + 1);
  return `${roleStyle(content, view)(name)} ${view.style.dim(rest)}`;
}

function describeHeading(entry: Entry, content: EntryContent): string {
  const facts = [
    `#${entry.seq}`,
    ...(content === entry ? [] : ["seen by a hook"]),
    ...(entry.strand === mainStrand || content !== entry ? [] : [entry.strand]),
    ...(content.kind === "message" ? describeMessage(content) : []),
    describeTime(entry.at),
  ];
  return toPrintableLine(`${describeKind(content)} ${facts.join(" · ")}`);
}

function describeMessage({ model, interrupted }: MessageContent): readonly string[] {
  return [...(model === undefined ? [] : [model]), ...(interrupted === true ? ["cut off"] : [])];
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
