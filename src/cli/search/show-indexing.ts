import { unlessFailed } from "../../lib/app-error.ts";
import type { Store } from "../../storage/open-store.ts";
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

/** Takes new entries into the search index, so that the next search does not wait for them; it fails nothing. */
export async function indexStore(context: CommandContext, { search }: Pick<Store, "search">): Promise<void> {
  // The next search says what is wrong, or does without.
  await showIndexing(context, (show) => unlessFailed(search.catchUp(show), 0));
}
