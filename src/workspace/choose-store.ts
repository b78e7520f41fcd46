import type { StoreUrl } from "../storage/parse-store-url.ts";
import { sqliteSite } from "../storage/sqlite-site.ts";
import type { StoreSite } from "../storage/store-site.ts";
import { readConfig } from "./read-config.ts";

/** What decides where the store is. Nothing in a repository does. */
export interface StoreChoice {
  /** The folder of the store, the key and config.yaml: see `locateHome`. */
  readonly home: string;
  /** The address of a store on PostgreSQL, which surfaces take from CARRYON_STORE; empty counts as not given. */
  readonly store?: string | undefined;
}

/** Returns where the store is: at the given address, or where config.yaml of the home folder says, or in the home folder. */
export async function chooseStore({ home, store = "" }: StoreChoice): Promise<StoreSite> {
  // What belongs to PostgreSQL is loaded when it is used, so that nobody else pays for it.
  const url = store === "" ? (await readConfig(home, loadReaders)).store : await parseAddress(store);
  if (url === undefined) return sqliteSite(home);
  const { postgresSite } = await import("../storage/postgres-site.ts");
  return postgresSite(url, home);
}

async function loadReaders() {
  const { readStore } = await import("./store-setting.ts");
  return { store: readStore };
}

async function parseAddress(store: string): Promise<StoreUrl> {
  const { parseStoreUrl } = await import("../storage/parse-store-url.ts");
  return parseStoreUrl(store);
}
