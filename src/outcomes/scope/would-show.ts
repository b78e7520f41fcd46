/** What stands between a step and the reader: `tail -20`, `grep -E FAIL|error`, or `> out.log` for a file that is not shown. */
export type Filters = readonly string[];

const keepsAll = /^(?:cat|bat|batcat|nl|tee|less|more)\b/;
const keepsSome = /^(head|tail)(?: -(?:n ?)?(\d{1,6}))?$/;
/** So many lines hold the end of a failure. */
const leastEnd = 5;
const picks = /^(?:[ef]?grep|rg)((?: -\S+| \d+(?= ))*) (.+)$/;

/** Tells whether filters let a line through that was seen behind others: they are the same or wider, or ask for its words. */
export function wouldShow(filters: Filters, line: string, before: Filters): boolean {
  return filters.every(
    (filter) =>
      before.includes(filter) ||
      keepsAll.test(filter) ||
      isLonger(filter, before) ||
      keepsEnd(filter) ||
      picksLine(filter, line.toLowerCase()),
  );
}

/** Tools say at the end of their output that they failed. */
function keepsEnd(filter: string): boolean {
  const [, program, count = "10"] = keepsSome.exec(filter) ?? [];
  return program === "tail" && Number(count) >= leastEnd;
}

function isLonger(filter: string, before: Filters): boolean {
  const [, program, count = "10"] = keepsSome.exec(filter) ?? [];
  return before.some((each) => {
    const [, other, fewer = "10"] = keepsSome.exec(each) ?? [];
    return program !== undefined && program === other && Number(count) >= Number(fewer);
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
