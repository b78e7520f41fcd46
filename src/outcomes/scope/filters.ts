/** What stands between a step and the reader: `tail -20`, `grep -E FAIL|error`, or `> out.log` for a file that is not shown. */
export type Filters = readonly string[];

/** Which end of a text a filter shows, and at most how many lines of it. */
interface Cut {
  readonly end: "head" | "tail";
  readonly lines: number;
}

const showsWhole = /^(?:(?:cat|bat|batcat|nl|less|more)(?: -\S+)*|tee(?: .+)?)$/;
const showsPart = /^(head|tail)(?: -(?:n ?)?(\d{1,6}))?$/;
const picks = /^(?:[ef]?grep|rg)((?: -\S+| \d+(?= ))*) (.+)$/;

/** So many lines hold the end of a failure. */
const leastEnd = 5;
/** So many lines hold one of whatever was printed: the first and the last may be blank. */
const leastOfAny = 3;

/** Returns how a filter cuts a text; undefined for one that picks lines or hides them. */
function cutOf(filter: string): Cut | undefined {
  if (showsWhole.test(filter)) return { end: "tail", lines: Number.POSITIVE_INFINITY };
  const [, end, count = "10"] = showsPart.exec(filter) ?? [];
  return end === "head" || end === "tail" ? { end, lines: Number(count) } : undefined;
}

/** Tells whether filters show a text to its end. */
export function showEnd(filters: Filters): boolean {
  return cutsOf(filters).every((cut) => cut?.end === "tail");
}

/** Tells whether filters show all of a text. */
export function showWhole(filters: Filters): boolean {
  return cutsOf(filters).every((cut) => cut?.lines === Number.POSITIVE_INFINITY);
}

/** What goes to a file may be a part, such as the errors. */
function cutsOf(filters: Filters): readonly (Cut | undefined)[] {
  return filters.filter((filter) => !filter.startsWith("> ")).map(cutOf);
}

/** Tells whether filters show something of any text that is not blank. */
export function showAny(filters: Filters): boolean {
  return filters.every((filter) => (cutOf(filter)?.lines ?? 0) >= leastOfAny);
}

/** Tells whether filters let a line through that was seen behind others: they are the same or wider, or ask for its words. */
export function wouldShow(filters: Filters, line: string, before: Filters): boolean {
  const isWider = (cut: Cut) => {
    // Tools say at the end of their output that they failed.
    if (cut.end === "tail" && cut.lines >= leastEnd) return true;
    return before.map(cutOf).some((each) => each?.end === cut.end && cut.lines >= each.lines);
  };
  return filters.every((filter) => {
    const cut = cutOf(filter);
    return (
      before.includes(filter) || (cut === undefined ? picksLine(filter, line.toLowerCase()) : isWider(cut))
    );
  });
}

/** Patterns of `grep` are compared by their literal parts: nobody knows what a pattern of a session costs. */
function picksLine(filter: string, line: string): boolean {
  const [, options = "", pattern = ""] = picks.exec(filter) ?? [];
  if (pattern === "" || / -\w*[cqlL]/.test(options)) return false;
  const isNamed = pattern
    .toLowerCase()
    .split(/\\?\|/)
    .some((part) => part.split(/[\\()^$.*+?[\]]+/).every((text) => line.includes(text)));
  return isNamed !== / -\w*v/.test(options);
}
