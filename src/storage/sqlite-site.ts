import { readOrMakeKey } from "./home-folder.ts";
import { locateStore, openStore, openStoreForReading } from "./open-store.ts";
import type { StoreSite } from "./store-site.ts";

/** Returns the site of the store in a home folder; what few commands need is loaded when it is used. */
export function sqliteSite(home: string): StoreSite {
  return {
    path: locateStore(home),
    open: () => openStore(home),
    openForReading: () => openStoreForReading(home),
    inspect: async () => (await import("./sqlite/inspect-store.ts")).inspectStore(home),
    file: {
      backup: async (file, options) =>
        (await import("./sqlite/backup-store.ts")).backupStore(home, file, options),
      restore: async (file, now, options) =>
        (await import("./sqlite/restore-store.ts")).restoreStore(home, file, now, options),
      makeKey: async () => void (await readOrMakeKey(home)),
      moveAside: async (now) => (await import("./sqlite/move-aside.ts")).moveAside(home, now),
    },
  };
}
