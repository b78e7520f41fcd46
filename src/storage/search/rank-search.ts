import type { SessionId } from "../../sessions/ids.ts";
import { entryColumns } from "../entry-codec.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { textsOf } from "./entry-texts.ts";
import { type Candidate, findCandidates } from "./find-candidates.ts";
import { unlessBad } from "./index-entries.ts";
import { firstPart } from "./make-snippet.ts";
import type { Query } from "./parse-query.ts";
import type { SearchPlan } from "./plan-search.ts";
import { readOrNone } from "./read-behind.ts";
import { type Counted, countInTexts, type Scale, scoreOf } from "./score.ts";

/** An entry at its place in the answer. */
export interface ScoredEntry {
  readonly key: number;
  readonly sessionKey: number;
  readonly seq: number;
  readonly score: number;
}

/** The best of so many are read, and scored by what they say. */
const mostRead = 64;
/** How much of the score of the entry before or after it an entry gains: an answer stands beside its question. */
const neighbourShare = 0.1;
/** How much of its score an entry keeps that says what a better one says. */
const repeatedShare = 0.5;

/** Returns the entries that fit best, best first; of equal ones the newest. */
export async function rankSearch(
  runner: SqlRunner,
  { query, plan, scale }: { readonly query: Query; readonly plan: SearchPlan; readonly scale: Scale },
): Promise<readonly ScoredEntry[]> {
  const candidates = await findCandidates(runner, { query, plan, wanted: scale.wanted });
  const roughly = candidates
    .map((candidate) => ({ candidate, score: scoreOf(countRoughly(candidate, scale), scale) }))
    .toSorted((one, other) => other.score - one.score || other.candidate.key - one.candidate.key);
  const best = roughly.slice(0, mostRead).map(({ candidate }) => candidate);
  const read = await readAll(runner, best, scale);
  const rest = roughly.slice(mostRead).map(({ candidate, score }) => toScored(candidate, score));
  const worst = read.at(-1)?.score ?? 0;
  // What was not read has no better place than what was.
  return [...read, ...rest.map((each) => ({ ...each, score: Math.min(worst, each.score) }))];
}

function countRoughly({ voice, length, has }: Candidate, { wanted }: Scale): Counted {
  return { voice, length, counts: wanted.map((_, index) => (has.has(index) ? 1 : 0)), near: 0 };
}

function toScored({ key, sessionKey, seq }: Candidate, score: number): ScoredEntry {
  return { key, sessionKey, seq, score };
}

/** Scores entries by their texts, their neighbours, and whether another says the same. */
async function readAll(
  runner: SqlRunner,
  candidates: readonly Candidate[],
  scale: Scale,
): Promise<readonly ScoredEntry[]> {
  const texts = await readTexts(runner, candidates);
  const scored = candidates.map((candidate) => {
    const own = (texts.get(placeOf(candidate)) ?? []).map(firstPart);
    const { counts, near } = countInTexts(own, scale);
    // What stands behind the first part of a long text is known from the index alone.
    const all = counts.map((count, index) => (count === 0 && candidate.has.has(index) ? 1 : count));
    const { voice, length } = candidate;
    return {
      candidate,
      text: own.join("\n").slice(0, 400),
      score: scoreOf({ voice, length, counts: all, near }, scale),
    };
  });
  const scores = new Map(scored.map(({ candidate, score }) => [placeOf(candidate), score]));
  const seen = new Set<string>();
  return scored
    .toSorted((one, other) => other.score - one.score || other.candidate.key - one.candidate.key)
    .map(({ candidate, text, score }) => {
      const { sessionKey, seq } = candidate;
      const beside = [seq - 1, seq + 1].map((each) => scores.get(placeOf({ sessionKey, seq: each })) ?? 0);
      const whole = score + neighbourShare * Math.max(...beside);
      const isRepeated = seen.has(text);
      seen.add(text);
      return toScored(candidate, isRepeated ? repeatedShare * whole : whole);
    })
    .toSorted((one, other) => other.score - one.score || other.key - one.key);
}

function placeOf({ sessionKey, seq }: Pick<Candidate, "sessionKey" | "seq">): string {
  return `${sessionKey}#${seq}`;
}

/** Entries of one statement. */
const atOnce = 32;

async function readTexts(
  runner: SqlRunner,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Map<string, readonly string[]>();
  for (let from = 0; from < candidates.length; from += atOnce) {
    const some = candidates.slice(from, from + atOnce);
    const rows = await runner.all(
      `SELECT ${entryColumns}, e.session_key FROM entry e LEFT JOIN body b ON b.key = e.body_key
       WHERE ${some.map(() => "(e.session_key = ? AND e.seq = ?)").join(" OR ")}`,
      some.flatMap(({ sessionKey, seq }) => [sessionKey, seq]),
    );
    for (const row of rows) {
      const entry = readOrNone("" as SessionId, row);
      const found = entry && unlessBad(() => textsOf(entry));
      const sessionKey = row.at(-1) as number;
      if (entry && found) texts.set(placeOf({ sessionKey, seq: entry.seq }), found.texts);
    }
  }
  return texts;
}
