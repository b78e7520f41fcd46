import { dieAt, KillMoments } from "./kill-moments.ts";
import { findProblems, type Problem } from "./store-audit.ts";
import { startCountedWriter, type Writer } from "./store-writers.ts";

export interface Killing {
  readonly kills: number;
  /** How many of the writers had at least one receipt. */
  readonly writing: number;
  readonly receipts: number;
  /** The errors that writers met before they were killed, and how those ended that were not. */
  readonly errors: readonly string[];
  /** What was wrong with the store after the last round; a problem ends the killing. */
  readonly problems: readonly Problem[];
  readonly seed: number;
}

/** What a writer does at most before it is killed: some receipts. */
const mostWork = 40;

/**
 * Kills writers with SIGKILL at any of their events, several at once, and checks the store after each round.
 *
 * Half of them share a session, the others have one each; half die while they write, the others while they open the store,
 * make it or recover what those before them left. Without a seed the moments are others each time.
 */
export async function killWriters(
  address: string,
  { kills, atOnce, seed }: { readonly kills: number; readonly atOnce: number; readonly seed?: number },
): Promise<Killing> {
  const moments = new KillMoments(seed);
  const writers: Writer[] = [];
  const errors: string[] = [];
  let problems: readonly Problem[] = [];
  while (writers.length < kills && problems.length === 0) {
    const round = Array.from({ length: Math.min(atOnce, kills - writers.length) }, (_, index) => {
      const number = writers.length + index;
      const session = number % 2 === 0 ? "shared" : `own-${number % 8}`;
      const moment = number % 4 < 2 ? moments.draw("work", mostWork) : moments.drawStart();
      return startCountedWriter(address, { session, prefix: `w${number}-` }, dieAt(moment));
    });
    for (const how of await Promise.all(round.map((writer) => writer.ended())))
      if (how !== "SIGKILL") errors.push(`ended with ${how}`);
    writers.push(...round);
    problems = await findProblems(
      address,
      writers.filter((writer) => writer.receipts.length > 0),
    );
  }
  return {
    kills: writers.length,
    writing: writers.filter((writer) => writer.receipts.length > 0).length,
    receipts: writers.reduce((sum, writer) => sum + writer.receipts.length, 0),
    errors: [...errors, ...writers.flatMap((writer) => writer.errors)],
    seed: moments.seed,
    problems,
  };
}
