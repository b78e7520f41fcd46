/** Which lines are wanted, from 1 on and both included, and how many characters they may have. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
  readonly mostCharacters: number;
}

/** Lines with their numbers, and the last one that had room. */
export interface NumberedLines {
  readonly text: string;
  readonly last: number;
}

/** More of a line is no line that somebody wrote. */
const longestLine = 2000;

/** Writes lines with their numbers, as many as there is room for; at least one. */
export function numberLines(
  lines: readonly string[],
  { from, to, mostCharacters }: LineRange,
): NumberedLines {
  const width = String(Math.min(to, lines.length)).length;
  const written: string[] = [];
  let room = mostCharacters;
  for (let number = from; number <= Math.min(to, lines.length); number += 1) {
    const line = `${String(number).padStart(width)}\t${shorten(lines[number - 1] ?? "")}\n`;
    if (line.length > room && written.length > 0) break;
    written.push(line);
    room -= line.length;
  }
  return { text: written.join(""), last: from + written.length - 1 };
}

function shorten(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine)} [… ${line.length - longestLine} more characters in this line]`;
}
