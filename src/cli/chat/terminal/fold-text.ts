/** How much of a long text is shown: its first and its last lines. */
export interface Fold {
  readonly first: number;
  readonly last: number;
}

/** Longer lines are shown in part: a line can be a whole file. */
const longestLine = 1000;

/** Leaves out the middle of a long text, and says in its place how many lines that are. */
export function foldText(text: string, { first, last }: Fold): string {
  const lines = text.split("\n");
  const hidden = lines.length - first - last;
  // To leave out a single line saves nothing.
  if (hidden < 2) return lines.map(cutLine).join("\n");
  const end = last === 0 ? [] : lines.slice(-last);
  return [...lines.slice(0, first), `… ${hidden} more lines`, ...end].map(cutLine).join("\n");
}

function cutLine(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine).toWellFormed()}… ${line.length - longestLine} more characters`;
}
