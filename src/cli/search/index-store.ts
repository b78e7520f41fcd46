import { unlessFailed } from "../../lib/app-error.ts";
import type { Store } from "../../storage/open-store.ts";
import type { CommandContext } from "../command-context.ts";
import { showIndexing } from "./show-indexing.ts";

/** Takes new entries into the search index, so that the next search does not wait for them; it fails nothing. */
export async function indexStore(context: CommandContext, { search }: Pick<Store, "search">): Promise<void> {
  // The next search says what is wrong, or does without.
  await showIndexing(context, (show) => unlessFailed(search.catchUp(show), 0));
}
