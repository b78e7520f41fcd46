import { diffLines } from "../../lib/diff-lines.ts";

/** How many lines that stay are shown before and after those that change. */
const around = 3;

/** Above this many pairs of lines, those that stay between changes are not looked for: that costs their product. */
const mostPairs = 4_000_000;

/** One line of a diff, with the number that it has, or would have, in the text before and after. */
interface DiffRow {
  readonly sign: " " | "+" | "-";
  readonly text: string;
  readonly before: number;
  readonly after: number;
}

/** Renders in which lines two texts differ, as `diff -u` does but for the names; "" where they are equal. */
export function renderDiff(before: string, after: string): string {
  return toHunks(toRows(splitLines(before), splitLines(after)))
    .map(renderHunk)
    .join("");
}

/** Lines keep their ends: the last one may have none. */
function splitLines(text: string): readonly string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== "");
}

/** Only what is between the first and the last difference is compared: most changes are small, and files are not. */
function toRows(old: readonly string[], young: readonly string[]): readonly DiffRow[] {
  const shortest = Math.min(old.length, young.length);
  let start = 0;
  while (start < shortest && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < shortest - start && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  const rows = new RowMaker(Math.max(0, start - around));
  rows.addAll(" ", old.slice(Math.max(0, start - around), start));
  const [oldPart, youngPart] = [old.slice(start, old.length - end), young.slice(start, young.length - end)];
  if (oldPart.length * youngPart.length > mostPairs) {
    rows.addAll("-", oldPart);
    rows.addAll("+", youngPart);
  } else addChanges(rows, oldPart, youngPart);
  rows.addAll(" ", old.slice(old.length - end, old.length - end + around));
  return rows.rows;
}

function addChanges(rows: RowMaker, old: readonly string[], young: readonly string[]): void {
  let [one, other] = [0, 0];
  for (const { sign, number, text } of diffLines(old.join(""), young.join(""))) {
    const same = number - 1 - (sign === "-" ? one : other);
    rows.addAll(" ", old.slice(one, one + same));
    rows.addAll(sign, [text]);
    one += same + (sign === "-" ? 1 : 0);
    other += same + (sign === "+" ? 1 : 0);
  }
  rows.addAll(" ", old.slice(one));
}

class RowMaker {
  readonly rows: DiffRow[] = [];
  #before: number;
  #after: number;

  /** Begins behind so many lines, which are the same in both texts. */
  constructor(same: number) {
    this.#before = same + 1;
    this.#after = same + 1;
  }

  addAll(sign: DiffRow["sign"], texts: readonly string[]): void {
    for (const text of texts) {
      this.rows.push({ sign, text, before: this.#before, after: this.#after });
      if (sign !== "+") this.#before += 1;
      if (sign !== "-") this.#after += 1;
    }
  }
}

/** Divides rows where more lines stay than are shown around two changes. */
function toHunks(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const hunks: DiffRow[][] = [];
  let shownUpTo = 0;
  rows.forEach((row, at) => {
    if (row.sign === " ") return;
    const start = Math.max(shownUpTo, at - around);
    const end = Math.min(rows.length, at + around + 1);
    if (start > shownUpTo || hunks.length === 0) hunks.push([]);
    hunks.at(-1)?.push(...rows.slice(start, end));
    shownUpTo = Math.max(shownUpTo, end);
  });
  return hunks;
}

function renderHunk(rows: readonly DiffRow[]): string {
  const [first] = rows;
  const count = (sign: "+" | "-") => rows.filter((row) => row.sign !== sign).length;
  const old = renderRange(first?.before ?? 1, count("+"));
  const young = renderRange(first?.after ?? 1, count("-"));
  return `@@ -${old} +${young} @@\n${rows.map(renderRow).join("")}`;
}

/** A stretch without lines is named by the line before it. */
function renderRange(start: number, lines: number): string {
  return lines === 0 ? `${start - 1},0` : lines === 1 ? String(start) : `${start},${lines}`;
}

function renderRow({ sign, text }: DiffRow): string {
  return text.endsWith("\n") ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`;
}
