import { rulesOf } from "./find-rule.ts";
import { goalOf } from "./shows-pass.ts";
import type { StepKind } from "./step-kind.ts";

/** Where a run sums itself up: at its end. */
const mostLines = 60;
const longest = 200;

/** How tools without a row in the tables sum up a good run. */
const summary =
  /\b(?:no (?:issues|errors|problems|warnings|offenses)|0 (?:issues|errors|problems|failures|failed|fail)|\d+ (?:tests?|specs?|examples?|passed|passing|packages?)|succe(?:ss|eded|ssful)\w*|passed|finished|up to date|built in|done in)\b/i;

/** Returns the line by which a run that passed sums itself up; "" where none can be told to be its own. */
export function summaryLine(
  lines: readonly string[],
  kind: StepKind,
  { isAlone }: { readonly isAlone: boolean },
): string {
  const last = lines.slice(-mostLines);
  const goal = goalOf(kind);
  const rows = rulesOf(kind)
    .filter((rule) => rule.goal === goal)
    .flatMap(({ passed, partPassed }) => [passed ?? [], partPassed ?? []].flat());
  const found = last.filter((line) => line !== "" && rows.some((row) => row.test(line)));
  const isOwn = (line: string) => isAlone && line.length <= longest && summary.test(line);
  const best = found.at(-1) ?? last.findLast(isOwn) ?? "";
  const more = found.length > 1 && /^ok\s/.test(best) ? ` (and ${found.length - 1} more)` : "";
  return `${best}${more}`;
}
