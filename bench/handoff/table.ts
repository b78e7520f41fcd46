import { categories, type Moment } from "./case.ts";
import {
  budgets,
  countAccidents,
  findUntold,
  type OpenCase,
  recallOf,
  type Score,
  type Scored,
} from "./score.ts";

const moments: Readonly<Record<Moment, string>> = {
  end: "at the end of the session",
  cut: "broken off at 60 % of the session",
};

/** Renders how each system did, one row each. */
export function renderScores(
  set: string,
  at: Moment,
  cases: readonly OpenCase[],
  scored: readonly Scored[],
): string {
  const facts = cases.flatMap((each) => each.case.facts);
  const claims = cases.flatMap((each) => each.case.claims);
  return [
    `${set}, ${moments[at]}: ${cases.length} cases, ${facts.length} facts, ${claims.length} false claims`,
    head(),
    ...scored.filter(({ scores }) => scores.length > 0).map(row),
    ...describeMatchers(cases),
  ].join("\n");
}

const widthOfName = 28;
const widthOfColumn = 7;

function head(): string {
  const names = ["cases", ...budgets.map((budget) => `R@${budget}`), "false", "tokens"];
  const short = categories.map((category) => category.slice(0, widthOfColumn - 1));
  return `${"system".padEnd(widthOfName)}${[...names, ...short].map(column).join("")}`;
}

function row({ system, scores }: Scored): string {
  const cells = [
    String(scores.length),
    ...budgets.map((budget) => percent(mean(scores.map(({ recall }) => recall.get(budget) ?? Number.NaN)))),
    mean(scores.map(({ claimed }) => claimed.length)).toFixed(2),
    String(Math.round(mean(scores.map(({ tokens }) => tokens)))),
    ...categories.map((category) => percent(recallOf(scores, category))),
  ];
  return `${system.padEnd(widthOfName)}${cells.map(column).join("")}`;
}

function column(cell: string): string {
  return cell.padStart(widthOfColumn);
}

function percent(share: number): string {
  return Number.isNaN(share) ? "–" : (share * 100).toFixed(1);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Says how good the matchers are: facts that the session itself does not tell, and facts that fit other projects. */
function describeMatchers(cases: readonly OpenCase[]): readonly string[] {
  const untold = cases.flatMap((each) => findUntold(each).map(({ id }) => `${each.case.session}/${id}`));
  const { tried, fitted } = countAccidents(cases);
  return [
    ...(untold.length === 0 ? [] : [`(not in the words of the session: ${untold.join(", ")})`]),
    ...(tried === 0 ? [] : [`(matchers that fit the talk of another project: ${fitted} of ${tried})`]),
  ];
}

/** Lists what each case missed and what it claimed. */
export function renderMissed({ system, scores }: Scored): string {
  return [`Missed by ${system}:`, ...scores.flatMap(describeScore)].join("\n");
}

function describeScore({ case: given, missed, claimed }: Score): readonly string[] {
  return [
    `${given.session} (${given.at})`,
    ...missed.map(({ id, category, weight, question }) => `  ${weight} ${category} ${id}: ${question}`),
    ...given.claims.filter(({ id }) => claimed.includes(id)).map(({ id, why }) => `  FALSE ${id}: ${why}`),
  ];
}
