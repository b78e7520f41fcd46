import type { Store } from "../../storage/open-store.ts";
import { followIndex } from "../../workspace/follow-index.ts";
import { choiceOf } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { openProgress } from "../progress.ts";

/** Brings the index to where the log is, before something is looked for in a store that was opened for reading. */
export async function indexHere(context: CommandContext, store: Store): Promise<void> {
  const progress = openProgress(context);
  await followIndex(choiceOf(context), store, (done, total) =>
    progress.show(`Indexing: ${done} of ${total} entries`),
  ).finally(() => progress.clear());
}
