import { makeFolder } from "./home-folder.ts";
import type { Store } from "./open-store.ts";
import type { StoreUrl } from "./parse-store-url.ts";
import { inspectPostgres } from "./postgres/inspect-postgres.ts";
import { openForReading, openForWriting } from "./postgres/open-postgres.ts";
import { readKeyOrNone, readOrMakeKey } from "./store-key.ts";
import type { StoreSite } from "./store-site.ts";

/** The schema that holds the store; everything else in the database belongs to others. */
const schema = "carryon";

/** Returns the site of a store on PostgreSQL; the home folder has nothing of it but the key. */
export function postgresSite(url: StoreUrl, home: string): StoreSite {
  const open = async (): Promise<Store> => {
    await makeFolder(home);
    return openForWriting(url, await readOrMakeKey(home), schema);
  };
  return {
    path: url.shown,
    open,
    openForReading: async () => (await openForReading(url, await readKeyOrNone(home), schema)) ?? open(),
    inspect: () => inspectPostgres(url, home, schema),
    file: undefined,
  };
}
