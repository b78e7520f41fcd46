import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { type AppError, configError, unlessGone, usageError } from "../lib/app-error.ts";
import { locateStore } from "../storage/open-store.ts";
import type { StoreUrl } from "../storage/parse-store-url.ts";
import { sqliteSite } from "../storage/sqlite-site.ts";
import type { StoreSite } from "../storage/store-site.ts";
import { readConfig } from "../workspace/read-config.ts";
import { readRemote } from "./remote-setting.ts";

/** Tells whether a word names a store, and no session: an id has neither slashes nor dots, nor anything of an address. */
export function isStoreName(word: string): boolean {
  return /[\\/.~:@]|\w=/.test(word);
}

/**
 * Tells whether a name is meant as an address, also a mistyped one or one in the form of another program: as a folder it
 * would be made with the password in its name. Whatever begins with `.`, `~` or one slash is a path.
 */
function isAddress(name: string): boolean {
  if (name.includes("://")) return true;
  if (/^[.~]|^\/(?!\/)/.test(name)) return false;
  if (process.platform === "win32" && /^(?:[a-z]:|\\)[\\/]/i.test(name)) return false;
  // A port or a password, a user, words such as host=…, or only the scheme left out.
  return /[:@=]|^[\\/]{2}/.test(name);
}

/** Which other store is meant. */
interface OtherStore {
  /** The home of this user, whose key guards what is stored on a server. */
  readonly home: string;
  readonly cwd: string;
  /** A postgres:// address, or the path of a home folder or of the store.db in it; the `remote` of config.yaml unless given. */
  readonly name: string | undefined;
}

/** Returns where another store is. */
export async function locateOtherStore({ home, cwd, name }: OtherStore): Promise<StoreSite> {
  if (name === undefined) {
    const { remote } = await readConfig(home, () => ({ remote: readRemote }));
    if (remote === undefined) throw noRemote();
    return serverSite(remote.url, home);
  }
  if (isAddress(name)) {
    const { parseStoreUrl } = await import("../storage/parse-store-url.ts");
    const otherwise = name.includes("://") ? "" : "For a folder of this name, write ./ before it. ";
    return serverSite(parseStoreUrl(name, otherwise), home);
  }
  return sqliteSite(await locateOtherHome(resolve(cwd, name)));
}

/** Returns the site of a store on a server. */
export async function serverSite(url: StoreUrl, home: string): Promise<StoreSite> {
  const { postgresSite } = await import("../storage/postgres-site.ts");
  return postgresSite(url, home);
}

async function locateOtherHome(path: string): Promise<string> {
  const stats = await unlessGone(stat(path));
  if (stats === undefined || stats.isDirectory()) return path;
  if (basename(path) === basename(locateStore(""))) return dirname(path);
  throw usageError("not-a-home", `${path} is not the home folder of a store.`, {
    hint: "Give the folder that its store.db is in, or an address such as postgres://user@host/database. A backup has to be restored first, in a home of its own.",
  });
}

function noRemote(): AppError {
  return configError("no-remote", "There is no other store to exchange sessions with.", {
    hint: "Name one, such as postgres://user@host/database, or set `remote` in config.yaml of the home folder.",
  });
}
