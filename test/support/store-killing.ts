import { setTimeout as sleep } from "node:timers/promises";
import { findProblems, type Problem } from "./store-audit.ts";
import { startWriter, type Writer } from "./store-writers.ts";

export interface Killing {
  readonly kills: number;
  /** How many of the writers had at least one receipt. */
  readonly writing: number;
  readonly receipts: number;
  /** The errors that writers met before they were killed. */
  readonly errors: readonly string[];
  /** What was wrong with the store after the last round; a problem ends the killing. */
  readonly problems: readonly Problem[];
}

/**
 * Kills writers with SIGKILL at random moments, several at once, and checks the store after each round.
 *
 * Half of them share a session, the others have one each; half die while they write, the others whenever it may be,
 * also while they open the store, make it or recover what those before them left.
 */
export async function killWriters(
  address: string,
  { kills, atOnce }: { readonly kills: number; readonly atOnce: number },
): Promise<Killing> {
  const writers: Writer[] = [];
  let problems: readonly Problem[] = [];
  while (writers.length < kills && problems.length === 0) {
    const round = Array.from({ length: Math.min(atOnce, kills - writers.length) }, (_, index) => {
      const number = writers.length + index;
      const session = number % 2 === 0 ? "shared" : `own-${number % 8}`;
      return startWriter(address, session, `w${number}-`);
    });
    const first = writers.length;
    await Promise.all(
      round.map((writer, index) =>
        killSometime(writer, (first + index) % 4 < 2 ? "while it writes" : 100 + atOnce * 60),
      ),
    );
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
    errors: writers.flatMap((writer) => writer.errors),
    problems,
  };
}

/** Kills a writer after some receipts, or at any moment of so many milliseconds. */
async function killSometime(writer: Writer, when: "while it writes" | number): Promise<void> {
  const most = when === "while it writes" ? Math.random() * 12 : 0;
  while (writer.receipts.length < most && (await writer.next()) !== undefined);
  await sleep(Math.random() * (when === "while it writes" ? 5 : when));
  writer.child.kill("SIGKILL");
  await writer.ended();
}
