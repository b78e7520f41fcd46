import { resolve } from "node:path";
import type { StoreFile } from "../storage/store-site.ts";
import { requireFile, storeOf, using } from "../workspace/open-here.ts";
import type { Caller } from "../workspace/workspace.ts";

type Backup = Awaited<ReturnType<StoreFile["backup"]>>;
type Restoration = Awaited<ReturnType<StoreFile["restore"]>>;

/** Copies the store to a file while others go on writing; returns where the file is and what it holds. */
export async function backUp(
  context: Caller,
  file: string,
  options: { readonly overwrite: boolean },
): Promise<Backup & { readonly path: string }> {
  const site = await storeOf(context);
  const store = requireFile(site);
  const path = resolve(context.cwd, file);
  // Says that there is no store yet in the same words as everywhere.
  await using(await site.openForReading(), async () => undefined);
  return { path, ...(await store.backup(path, options)) };
}

/** Which backup the store is restored from. */
export interface RestoreRequest {
  readonly file: string;
  /** Although entries of the backup are damaged, or a process writes the store. */
  readonly force: boolean;
}

/**
 * Restores the store from a backup; undefined without consent.
 *
 * `consents` is asked only where the store has sessions, with their number, or null where they cannot be counted.
 */
export async function restore(
  context: Caller,
  { file, force }: RestoreRequest,
  consents: (sessions: number | null) => Promise<boolean>,
): Promise<Restoration | undefined> {
  const site = await storeOf(context);
  const store = requireFile(site);
  const { exists, sessions } = await site.inspect();
  if (exists && sessions !== 0 && !(await consents(sessions))) return undefined;
  const options = { evenIfDamaged: force, evenIfWritten: force };
  return store.restore(resolve(context.cwd, file), context.clock.now(), options);
}
