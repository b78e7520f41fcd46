import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import { cutText } from "../../memory/quote.ts";
import type { Entry, EntryContent, Json, Part } from "../../sessions/entry.ts";
import { toSeenMessage } from "../../sessions/observations.ts";

/** Tool calls, results, thinking and events are cut after so many characters, unless all of them is wanted. */
const shortLength = 1_000;

export interface EntryView {
  /** Whether nothing is cut. */
  readonly full: boolean;
}

/** Describes an entry: a heading with its number, and below it, indented so that it cannot pass for one, what it says. */
export function describeEntry(entry: Entry, view: EntryView): string {
  const seen = toSeenMessage(entry);
  const content = seen ?? entry;
  const facts = [
    ...[`#${entry.seq}`, describeKind(content), entry.strand, entry.at.toISOString()],
    ...(seen === undefined ? [] : ["seen by a hook"]),
    ...(content.kind === "message" && content.interrupted === true ? ["cut off"] : []),
  ];
  const body = toPrintable(listTexts(content, view).join("\n"))
    .split("\n")
    .map((line) => (line.trim() === "" ? "" : `  ${line}`))
    .join("\n");
  return `${toPrintableLine(facts.join(" "))}\n${body}\n`;
}

function describeKind(content: EntryContent): string {
  if (content.kind === "message") return content.role;
  return content.kind === "event" ? content.event : content.kind;
}

function listTexts(content: EntryContent, view: EntryView): readonly string[] {
  switch (content.kind) {
    case "message":
      return content.parts.map((part) => describePart(part, view));
    case "summary":
      return [content.text];
    case "round":
    case "event":
      return [shorten(toText(content.data), view)];
    case "checkpoint":
      return [shorten(toText(content.state), view)];
    case "other":
      return [shorten(toText(content.raw), view)];
  }
}

function describePart(part: Part, view: EntryView): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "thinking":
      return `(thinking) ${shorten(part.text, view)}`;
    case "tool-call":
      return `-> ${part.name} ${shorten(toText(part.input), view)}`;
    case "tool-result":
      return `${part.failed === true ? "<- failed:" : "<-"} ${shorten(toText(part.output), view)}`;
    case "image":
    case "file":
      return `[${[part.type, part.name ?? part.location ?? "", part.mediaType].filter(Boolean).join(" ")}]`;
    case "other":
      return shorten(toText(part.raw), view);
  }
}

function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shorten(text: string, { full }: EntryView): string {
  if (full || text.length <= shortLength) return text;
  const kept = cutText(text, shortLength);
  return `${kept} [${text.length - kept.length} more characters]`;
}
