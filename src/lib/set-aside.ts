import { constants } from "node:fs";
import { copyFile, link, lstat, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isSystemError, unlessGone } from "./app-error.ts";

/** Moves away what lies in the place of a JSON file: `<name>.broken-<time>.json`, which replaces nothing. Returns where it went. */
export async function moveAside(path: string, now: Date): Promise<string> {
  const aside = await freeName(path, now);
  await rename(path, aside);
  return aside;
}

/** Keeps what a file holds now under another name, while the file itself stays until it is replaced: there is one at every moment. */
export async function keepAside(path: string, now: Date): Promise<string> {
  const aside = await freeName(path, now);
  try {
    await link(path, aside);
  } catch (error) {
    if (!isSystemError(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
    await copyFile(path, aside, constants.COPYFILE_EXCL);
  }
  return aside;
}

async function freeName(path: string, now: Date): Promise<string> {
  const stamp = now.toISOString().replace(/[:.]/g, "-");
  for (let count = 1; ; count += 1) {
    const more = count === 1 ? "" : `-${count}`;
    const aside = join(dirname(path), `${basename(path, ".json")}.broken-${stamp}${more}.json`);
    if ((await unlessGone(lstat(aside))) === undefined) return aside;
  }
}
