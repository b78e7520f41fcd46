import type { CommandContext } from "../command-context.ts";
import { openProgress } from "../progress.ts";

/** Shows how far the search index is while something that waits for it is done. */
export async function showIndexing<Result>(
  context: CommandContext,
  work: (show: (done: number, total: number) => void, clear: () => void) => Promise<Result>,
): Promise<Result> {
  const { show, clear } = openProgress(context);
  return work((done, total) => show(`Indexing: ${done} of ${total} entries`), clear).finally(clear);
}
