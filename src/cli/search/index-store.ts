import { AppError } from "../../lib/app-error.ts";
import type { Store } from "../../storage/open-store.ts";
import type { CommandContext } from "../command-context.ts";
import { showIndexing } from "./show-indexing.ts";

/** Takes new entries into the search index, so that the next search does not wait for them; it fails nothing. */
export async function indexStore(context: CommandContext, { search }: Pick<Store, "search">): Promise<void> {
  try {
    await showIndexing(context, (show) => search.catchUp(show));
  } catch (error) {
    // The next search says what is wrong, or does without.
    if (!(error instanceof AppError)) throw error;
  }
}
