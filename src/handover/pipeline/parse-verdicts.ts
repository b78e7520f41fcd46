import { withoutMark } from "../../lib/markdown/byte-order-mark.ts";
import { saysNothing } from "../../lib/markdown/fold.ts";
import { toUnixLines } from "../../lib/markdown/split-lines.ts";
import { itemsOf } from "../list-items.ts";
import { type Heading, type Outline, outlineOf } from "../markdown/outline.ts";
import { describeConflicts, type Problem } from "../problem.ts";

/** One batch of reviews of a spec. */
export interface Batch {
  /** `B1`, or whatever stands in the brackets. */
  readonly id: string;
  /** What was reviewed, such as `design` or `impl`. */
  readonly review: string;
  /** The time as it is written. */
  readonly at: string;
  readonly disposition: string;
  /** The findings that are still open, one line each. */
  readonly tracked: readonly string[];
}

/** What was read from a verdicts.md, oldest batch first. */
export interface ParsedVerdicts {
  readonly batches: readonly Batch[];
  readonly problems: readonly Problem[];
}

/** Reads verdicts.md. Headings of another form than a batch's are passed over. */
export function parseVerdicts(text: string): ParsedVerdicts {
  const outline = outlineOf(toUnixLines(withoutMark(text)));
  const tops = outline.headings.filter(({ depth }) => depth <= 2);
  const batches = tops.flatMap((heading, index) => {
    const head = /^\[([^\]]+)\][ \t]*(.*)$/s.exec(heading.title);
    if (head === null) return [];
    const [, id = "", rest = ""] = head;
    const [review = "", at = ""] = rest.split("|").map((part) => part.trim());
    const end = tops[index + 1]?.first ?? outline.lines.length;
    const own = outline.headings.filter(({ first }) => first > heading.last && first < end);
    const body = (title: string): string => bodyOf(outline, own, title, end);
    return [{ id, review, at, disposition: body("Disposition"), tracked: toFindings(body("Tracked")) }];
  });
  return { batches, problems: describeConflicts(text) };
}

function bodyOf({ text, lines }: Outline, headings: readonly Heading[], title: string, end: number): string {
  const index = headings.findIndex((each) => each.title.toLowerCase() === title.toLowerCase());
  const heading = headings[index];
  if (heading === undefined) return "";
  const next = headings.slice(index + 1).find(({ depth }) => depth <= heading.depth);
  const [first, last] = [lines[heading.last + 1], lines[(next?.first ?? end) - 1]];
  if (first === undefined || last === undefined || last.end < first.start) return "";
  const body = text.slice(first.start, last.end).trim();
  return saysNothing(body) ? "" : body;
}

/** Findings are items, rows of a table, or lines; those that are ticked off or struck through are dealt with. */
function toFindings(body: string): readonly string[] {
  const items = itemsOf(body).map(({ text }) => text.split("\n")[0] ?? "");
  const lines = items.length > 0 ? items : toRows(body);
  return lines.filter((line) => !/^\[[xX]\]/.test(line) && !/^~~.*~~$/s.test(line) && !saysNothing(line));
}

function toRows(body: string): readonly string[] {
  const lines = body.split("\n").map((line) => line.trim());
  const rule = lines.findIndex((line) => /^\|?[ \t]*:?-{2,}/.test(line));
  return (rule < 0 ? lines : lines.slice(rule + 1)).filter((line) => line !== "");
}
