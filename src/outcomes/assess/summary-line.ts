import { isTelling, order } from "./find-rule.ts";
import type { StepKind } from "./step-kind.ts";

/** Where a run sums itself up: at its end. */
const mostLines = 60;
const longest = 200;

/** How tools without a row in the tables sum up a good run. */
const summary =
  /\b(?:no (?:issues|errors|problems|warnings|offenses)|0 (?:issues|errors|problems|failures|failed|fail)|\d+ (?:tests?|specs?|examples?|passed|passing|files?|packages?)|succe(?:ss|eded|ssful)\w*|passed|finished|up to date|built in|compiled|done in)\b/i;

/** Returns the line by which a run that passed sums itself up; "" where it printed none. */
export function summaryLine(lines: readonly string[], kind: StepKind): string {
  const last = lines.slice(-mostLines);
  const rows = order[kind].flatMap(({ passed, partPassed }) => [passed ?? [], partPassed ?? []].flat());
  const isSummary = (line: string) => isTelling(line, kind) && rows.some((row) => row.test(line));
  const found = last.filter(isSummary);
  const [best = last.findLast((line) => line.length <= longest && summary.test(line)) ?? ""] =
    found.slice(-1);
  const more = found.length > 1 && /^ok\s/.test(best) ? ` (and ${found.length - 1} more)` : "";
  return `${best.replace(/\s+/g, " ").trim().slice(0, longest)}${more}`;
}
