import { suggest } from "../../lib/suggest.ts";
import type { GateProblem } from "./gate-problem.ts";
import { type KnownKeys, knownKeys } from "./known-keys.ts";
import type { LocatedMap, Place } from "./located.ts";
import { shorten } from "./shorten.ts";

/** More are not read by anybody, and each costs time. */
const most = 100;

/** Keys under which people keep what they name by an anchor. */
const forAnchors = /^(?:x-|\.)/;

/** What is found out about a configuration while it is read. */
export interface Report {
  readonly problems: GateProblem[];
  /** What does no harm, for those who want to know everything. */
  readonly notes: GateProblem[];
}

/** Says that something is wrong. */
export function tellProblem(
  { problems }: Report,
  { file, line }: Place,
  problem: string,
  hint: string,
): void {
  problems.push({ file, line, problem, hint });
}

/** Says which keys of a map are not known, and which are known but mean nothing here. */
export function tellKeys(report: Report, map: LocatedMap, kind: keyof typeof knownKeys, owner: string): void {
  const { used, unused }: KnownKeys = knownKeys[kind];
  const isQuiet = (key: string) => used.includes(key) || (kind === "file" && forAnchors.test(key));
  for (const [key, place] of map.entries) {
    if (isQuiet(key) || report.problems.length > most) continue;
    if (unused.includes(key)) tellNote(report, place, `Carryon does nothing with ${key} of ${owner}.`);
    else tellProblem(report, place, `There is no setting ${shorten(key)} in ${owner}.`, guess(key, used));
  }
}

/** Says something that does no harm. */
export function tellNote({ notes }: Report, { file, line }: Place, problem: string): void {
  notes.push({ file, line, problem, hint: "Leave it for other tools, or remove it." });
}

function guess(key: string, keys: readonly string[]): string {
  const [near] = suggest(key, keys);
  return near === undefined ? `There are: ${keys.join(", ")}.` : `Did you mean ${near}?`;
}

/** Returns the problems that are shown: all, or the first and how many there are. */
export function limitProblems(problems: readonly GateProblem[]): readonly GateProblem[] {
  const [first] = problems;
  if (first === undefined || problems.length <= most) return problems;
  const problem = `There are more than ${most} problems; the others are not listed.`;
  return [...problems.slice(0, most), { file: first.file, line: 1, problem, hint: "Put these right first." }];
}
