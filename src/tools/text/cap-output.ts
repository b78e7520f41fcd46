import { formatBytes } from "../../lib/describe.ts";

/** How much of what there is room for is its beginning; the end of an output says how it went. */
const beginning = 0.5;

/** Keeps the beginning and the end of a text, with a line between them that says how much is left out. */
export function capOutput(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  return joinEnds(text, text, { mostCharacters, bytes: Buffer.byteLength(text) });
}

/** Joins the beginning of a text and its end, of which more may be given than there is room for. */
export function joinEnds(
  start: string,
  end: string,
  { mostCharacters, bytes }: { readonly mostCharacters: number; readonly bytes: number },
): string {
  const first = cutAfterLine(start.slice(0, Math.floor(mostCharacters * beginning)));
  const last = cutBeforeLine(end.slice(-Math.ceil(mostCharacters * (1 - beginning))));
  const leftOut = bytes - Buffer.byteLength(first) - Buffer.byteLength(last);
  return `${first}${first.endsWith("\n") ? "" : "\n"}[… ${formatBytes(leftOut)} left out …]\n${last}`;
}

/** A cut falls between lines unless that would cost more than half of what there is. */
function cutAfterLine(text: string): string {
  const at = text.lastIndexOf("\n") + 1;
  return at > text.length / 2 ? text.slice(0, at) : text.toWellFormed();
}

function cutBeforeLine(text: string): string {
  const at = text.indexOf("\n") + 1;
  return at > 0 && at < text.length / 2 ? text.slice(at) : text.toWellFormed();
}
