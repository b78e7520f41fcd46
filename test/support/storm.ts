import { expectReceipts, startWriter, type Writer } from "./store-writers.ts";

/** How often each thing became of the writers. */
export type Outcomes = Readonly<Record<string, number>>;

/** Lets processes that all begin in the same moment write three entries each, and makes sure that those are there. */
export async function storm(
  address: string,
  { processes, sessions }: { readonly processes: number; readonly sessions: number },
): Promise<Outcomes> {
  // Those after it start with its compiled code, in half the time.
  await startWriter(address, "first", "w-", 1).ended();
  const writers = Array.from({ length: processes }, (_, index) =>
    startWriter(address, `s-${index % sessions}`, `w${index}-`, 3),
  );
  const outcomes = await countOutcomes(writers);
  await expectReceipts(
    address,
    writers.filter((writer) => writer.receipts.length > 0),
  );
  return outcomes;
}

/** Counts what became of writers, when they have ended. */
export async function countOutcomes(writers: readonly Writer[]): Promise<Outcomes> {
  const counts: Record<string, number> = {};
  for (const writer of writers) {
    const code = await writer.ended();
    const errors = writer.errors.length === 0 ? "no error" : writer.errors.join();
    const outcome = `${writer.receipts.length} acknowledged, ${errors}, exit ${code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

export const allStored = "3 acknowledged, no error, exit 0";
export const refused = "0 acknowledged, failed store-busy, exit 75";

/** Returns what became of writers that had neither all three entries stored nor were told to try later. */
export function findUnclear(outcomes: Outcomes): readonly string[] {
  const isClear = /^\d acknowledged, failed store-(busy|unreachable), exit 75$/;
  return Object.keys(outcomes).filter((outcome) => outcome !== allStored && !isClear.test(outcome));
}
