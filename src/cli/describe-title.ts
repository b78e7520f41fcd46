import { markerOpening } from "../lib/marker.ts";

/** A title that nobody gave is cut after this many characters of the first prompt, a given one after the other. */
const cutAfter: ReadonlySet<number> = new Set([60, 200]);

const halfMarker = /\[redacted:[a-z0-9-]{0,40}(?::[0-9a-f]{0,8})?$/;

/** Returns what a session is called, for people: the half of a marker at the end, where the title was cut, is left out. */
export function describeTitle({ title }: { readonly title: string }): string {
  if (title === "") return "(untitled)";
  if (!cutAfter.has([...title].length)) return title;
  const start = title.search(halfMarker);
  const end = start === -1 ? findHalfOpening(title) : start;
  return end === -1 ? title : `${title.slice(0, end)}…`;
}

/** Finds where a text ends with the first characters of a marker; two at least, because a bracket is often only that. */
function findHalfOpening(text: string): number {
  const start = text.lastIndexOf(markerOpening.slice(0, 2));
  return start !== -1 && markerOpening.startsWith(text.slice(start)) ? start : -1;
}
