import type { Store } from "./open-store.ts";
import type { Backup } from "./sqlite/backup-store.ts";
import type { Restoration, RestoreOptions } from "./sqlite/restore-store.ts";
import type { StoreReport } from "./store-report.ts";

/** Where a store is or will be, and how it is opened and cared for: a file in the home, or a schema on a server. */
export interface StoreSite {
  /** What messages call it: the path of its file, or `host:port/database`. */
  readonly path: string;
  /** Opens the store and makes it where there is none. */
  open(): Promise<Store>;
  /** Opens the store and makes nothing; throws `no-store` where there is none. */
  openForReading(): Promise<Store>;
  /** Looks at everything that can be wrong with the store; changes nothing and never throws for what it finds. */
  inspect(): Promise<StoreReport>;
  /** What can be done with a store that is a file; undefined for one on a server, which has tools of its own. */
  readonly file: StoreFile | undefined;
}

/** The care that a store in a file needs. */
export interface StoreFile {
  /** Writes a complete copy to another file, while others go on writing. */
  backup(file: string, options: { readonly overwrite: boolean }): Promise<Backup>;
  /** Makes the store what a backup says, and keeps it as it was in a file beside it; refused while a process writes it. */
  restore(file: string, now: Date, options: RestoreOptions): Promise<Restoration>;
  /** Makes a key where there is none. */
  makeKey(): Promise<void>;
  /** Gives a store that cannot be used another name, so that a new one can begin; returns the name. */
  moveAside(now: Date): Promise<string>;
}
