import { AppError } from "../lib/app-error.ts";
import type { Store } from "../storage/open-store.ts";
import { chooseStore, type StoreChoice } from "./choose-store.ts";

/**
 * Brings the index of a store that was opened for reading to where its log is, before something is looked for.
 *
 * Where the store cannot be written, the search itself reads what the index has not.
 */
export async function followIndex(
  choice: StoreChoice,
  { search }: Store,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  await passing(search.catchUp(onProgress), async () => {
    const writable = await (await chooseStore(choice)).open();
    await writable.search.catchUp(onProgress).finally(() => writable[Symbol.asyncDispose]());
  });
}

/** Waits for work and, if it fails because a store may not be written, tries something else. */
async function passing(work: Promise<unknown>, otherwise: () => Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isPassing(error)) throw error;
    await otherwise().catch((another: unknown) => {
      if (!isPassing(another)) throw another;
    });
  }
}

/** A store may be read-only, full, or not ours to write. */
function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.kind !== "internal" && error.code !== "search-index-broken";
}
