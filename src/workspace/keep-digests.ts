import { AppError } from "../lib/app-error.ts";
import type { Store } from "../storage/open-store.ts";
import { chooseStore, type StoreChoice } from "./choose-store.ts";

/**
 * Returns a store that was opened for reading, and that keeps digests all the same: it is opened for writing while they
 * are kept, where that is possible. Otherwise the next reader makes them again.
 */
export function keepDigests(choice: StoreChoice, store: Store): Store {
  return {
    ...store,
    digests: {
      ...store.digests,
      keep: async (digests, asOf) => {
        if (digests.length === 0) return;
        try {
          const writable = await (await chooseStore(choice)).open();
          await writable.digests.keep(digests, asOf).finally(() => writable[Symbol.asyncDispose]());
        } catch (error) {
          // A store may be read-only, full, or another user's.
          if (!(error instanceof AppError) || error.kind === "internal") throw error;
        }
      },
    },
  };
}
