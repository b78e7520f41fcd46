/** One line of a text: where it begins, where its content ends, and where the next line begins. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** Returns the lines of a text. They end as in Markdown: by LF, CR LF or a lone CR; a last line without an end counts. */
export function splitLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { 0: ending, index } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: index, next: index + ending.length });
    start = index + ending.length;
  }
  if (start < text.length) lines.push({ start, end: text.length, next: text.length });
  return lines;
}

/** Returns how the lines of a text end: as the first one does, or with LF. */
export function lineEndingOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
}

/** Returns a text whose lines all end with LF. */
export function toUnixLines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Tells whether Markdown takes a line for a blank one. */
export function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}
