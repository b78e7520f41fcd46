import { join } from "node:path";
import { baselines, countTokens } from "./baselines.ts";
import type { CaseSet, Category, Fact, HandoffCase, Moment, Source } from "./case.ts";
import { fits, judge, normalise } from "./judge.ts";
import { briefs } from "./told-by-carryon.ts";
import { readLines, readTalk, type Talk } from "./transcript.ts";

export const budgets = [500, 1000, 2000] as const;
/** Categories, false claims and what was missed are told of the largest budget. */
const largest = 2000;
export const carryonBrief = "carryon brief";

/** A case with what its session had said when it was handed over. */
export interface OpenCase {
  readonly case: HandoffCase;
  readonly source: Source;
  readonly lines: readonly string[];
  readonly talk: Talk;
}

/** The texts of one system for one case, by budget. */
type Texts = ReadonlyMap<number, string>;

/** How one system did on one case. */
export interface Score {
  readonly case: HandoffCase;
  readonly recall: ReadonlyMap<number, number>;
  readonly missed: readonly Fact[];
  readonly claimed: readonly string[];
  readonly tokens: number;
}

/** The systems of a table, each with its scores and with the texts that were judged. */
export interface Scored {
  readonly system: string;
  readonly scores: readonly Score[];
  readonly texts: ReadonlyMap<OpenCase, Texts>;
}

const shareOfCut = 0.6;

export function openCases(set: CaseSet, at: Moment): readonly OpenCase[] {
  return set.cases.filter((each) => each.at === at).map((each) => openCase(set, each));
}

function openCase(set: CaseSet, given: HandoffCase): OpenCase {
  const source = set.sources.find(({ id }) => id === given.session);
  if (source === undefined) throw new Error(`The set ${set.name} has no session ${given.session}.`);
  const all = readLines(join(set.folder, `${source.id}.jsonl.gz`));
  const lines = given.at === "cut" ? all.slice(0, Math.floor(all.length * shareOfCut)) : all;
  return { case: given, source, lines, talk: readTalk(lines) };
}

/** Scores the brief and the baselines; each case gets a folder of its own in the one that is given. */
export function scoreAll(cases: readonly OpenCase[], folder: string): readonly Scored[] {
  const byCarryon = (each: OpenCase) => tellByCarryon(each, folder);
  const systems = [[carryonBrief, byCarryon] as const, ...Object.keys(baselines).map(toSystem)];
  return systems.map(([system, tell]) => {
    const told = cases.flatMap((each) => {
      const texts = tell(each);
      return texts === undefined ? [] : [[each, texts] as const];
    });
    return { system, scores: told.map(([each, texts]) => score(each.case, texts)), texts: new Map(told) };
  });
}

function toSystem(name: string): readonly [string, (given: OpenCase) => Texts | undefined] {
  return [name, ({ talk, source }) => collect((budget) => baselines[name]?.(talk, source.cwd, budget))];
}

function tellByCarryon(given: OpenCase, folder: string): Texts {
  const { session, at } = given.case;
  console.error(`Handing over ${session} (${at}) …`);
  return briefs({ ...given, folder: join(folder, `${session}-${at}`) }, budgets);
}

function collect(tell: (budget: number) => string | undefined): Texts | undefined {
  const texts = budgets.flatMap((budget) => {
    const text = tell(budget);
    return text === undefined ? [] : [[budget, text] as const];
  });
  return texts.length === 0 ? undefined : new Map(texts);
}

function score(given: HandoffCase, texts: Texts): Score {
  const verdicts = new Map([...texts].map(([budget, text]) => [budget, judge(given, text)]));
  const last = verdicts.get(largest);
  const isTold = (fact: Fact, budget: number) => verdicts.get(budget)?.told.has(fact.id) ?? false;
  const total = weigh(given.facts);
  return {
    case: given,
    recall: new Map(
      budgets.map((budget) => [budget, weigh(given.facts.filter((each) => isTold(each, budget))) / total]),
    ),
    missed: given.facts.filter((each) => !isTold(each, largest)),
    claimed: last?.claimed ?? [],
    tokens: countTokens(texts.get(largest) ?? ""),
  };
}

function weigh(facts: readonly Fact[]): number {
  return facts.reduce((sum, { weight }) => sum + weight, 0);
}

/** The share of a category that was told, by weight, over all cases; NaN where no case has such a fact. */
export function recallOf(scores: readonly Score[], category: Category): number {
  const isOf = (fact: Fact) => fact.category === category;
  const total = weigh(scores.flatMap((each) => each.case.facts.filter(isOf)));
  return 1 - weigh(scores.flatMap(({ missed }) => missed.filter(isOf))) / total;
}

/** Returns the facts that no text of the session tells, though they should not need to be derived. */
export function findUntold({ case: given, talk }: OpenCase): readonly Fact[] {
  const normal = normalise(talk.everything.join("\n"));
  return given.facts.filter(({ isDerived, told }) => !isDerived && !fits(told, normal));
}

/** Counts how often facts of one project fit what was said in sessions of another: matchers that fit anything. */
export function countAccidents(cases: readonly OpenCase[]): {
  readonly tried: number;
  readonly fitted: number;
} {
  const tries = cases.flatMap((one) =>
    cases
      .filter((other) => other.source.project !== one.source.project)
      .flatMap((other) => {
        const normal = normalise(other.talk.said.join("\n"));
        return one.case.facts.map(({ told }) => fits(told, normal));
      }),
  );
  return { tried: tries.length, fitted: tries.filter(Boolean).length };
}
