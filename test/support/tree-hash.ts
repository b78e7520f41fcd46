import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/** Returns all that is in a folder, by its path: what it is, when it was changed, and the hash of its content. */
export async function hashTree(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const found = await Promise.all(
    ["", ...names].map(async (name) => [name, await describe(join(folder, name))]),
  );
  return Object.fromEntries(found);
}

async function describe(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true });
  const content = stats.isFile()
    ? createHash("sha256")
        .update(await readFile(path))
        .digest("hex")
    : stats.isSymbolicLink()
      ? await readlink(path)
      : "";
  return `${stats.mode.toString(8)} ${stats.mtimeNs} ${content}`;
}
