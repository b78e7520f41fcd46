import { isDeeperThan } from "../../lib/json.ts";
import { type Entry, type JsonObject, maxDepth, type NewEntry } from "../../sessions/entry.ts";
import { BadImport } from "../bad-import.ts";
import type { WrittenRound } from "./session-state.ts";

/**
 * Returns the rounds of a run and how much had been said on each strand by the end of each; undefined where not all are
 * known, as of a session that claude-master has begun.
 */
export function listRounds(entries: readonly Entry[]): readonly WrittenRound[] | undefined {
  const rounds: WrittenRound[] = [];
  let [instructor, worker] = [0, 0];
  for (const entry of entries) {
    if (entry.kind === "message" && entry.strand === "instructor") instructor += 1;
    else if (entry.kind === "message") worker += 1;
    if (entry.kind !== "round") continue;
    if (entry.number !== rounds.length + 1) return undefined;
    const { number, data, at } = entry;
    rounds.push({ number, at: at.toISOString(), instructor, worker, data });
  }
  return rounds.length === 0 ? undefined : rounds;
}

/** What was said on the strands, and what makes the entry of a round. */
interface Strands {
  readonly instructor: readonly NewEntry[];
  readonly worker: readonly NewEntry[];
  readonly toEntry: (round: { number: number; at: Date; data: JsonObject }) => NewEntry;
}

/** Puts what was said on two strands into the order in which it was said, as far as the rounds tell. */
export function weaveRounds(
  rounds: readonly WrittenRound[],
  { instructor, worker, toEntry }: Strands,
): readonly NewEntry[] {
  const woven: NewEntry[] = [];
  let before = { instructor: 0, worker: 0 };
  for (const [index, round] of rounds.entries()) {
    const isNext = round.instructor >= before.instructor && round.worker >= before.worker;
    const isThere = round.instructor <= instructor.length && round.worker <= worker.length;
    const where = `rounds, round ${index + 1}`;
    if (!isNext || !isThere || round.number !== index + 1)
      throw new BadImport(where, "it does not fit the histories");
    if (isDeeperThan(round.data, maxDepth))
      throw new BadImport(where, `it is nested deeper than ${maxDepth} levels`);
    // What the instructor hears last is the report on what the worker did.
    const report = Math.max(before.instructor, round.instructor - 1);
    woven.push(
      ...instructor.slice(before.instructor, report),
      ...worker.slice(before.worker, round.worker),
      ...instructor.slice(report, round.instructor),
      toEntry({ number: round.number, at: new Date(round.at), data: round.data as JsonObject }),
    );
    before = round;
  }
  return [...woven, ...instructor.slice(before.instructor), ...worker.slice(before.worker)];
}
