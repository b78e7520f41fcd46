import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { locateStore } from "../open-store.ts";

/** What the names of stores begin with that `restore` and `doctor` have put aside. */
const putAside = /^store\.(before-restore-|db\.aside-)/;

/** Returns the other stores of a home folder: those that were put aside, and its own where another one is in use. */
export async function listCopies(home: string, storePath: string): Promise<readonly string[]> {
  try {
    const names = await readdir(home);
    const paths = names.filter((name) => putAside.test(name)).map((name) => join(home, name));
    const own = locateStore(home);
    const isOther = own !== storePath && names.includes("store.db");
    return [...(isOther ? [own] : []), ...paths.sort()];
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw readFailed(home, error);
  }
}
