/** How the lines of a text end; a text without line ends has those of the system that Carryon comes from. */
type LineEnds = "lf" | "crlf" | "mixed";

export function lineEndsOf(text: string): LineEnds {
  const all = countOf(text, "\n");
  const wide = countOf(text, "\r\n");
  if (wide === 0) return "lf";
  return wide === all ? "crlf" : "mixed";
}

/** Returns a text with wide line ends throughout. */
export function toWideEnds(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

/** Divides a text into lines without their ends; the end of the last line begins no other. */
export function toLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Counts how often a text has another, next to each other and not overlapping. */
export function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
