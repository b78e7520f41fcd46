import { readdir, readFile, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { makeFiles } from "./open-tools.ts";
import type { TempDir } from "./temp-dir.ts";

/** Two folders beside each other, by their real paths. */
export interface Trap {
  readonly work: string;
  readonly out: string;
}

/** Links of a trap, by their names. */
export const trapLinks = {
  "in-link": "a",
  "out-link": "../out",
  "out-file": "../out/secret",
  loop: "loop",
  up: "..",
  "a/rel": "../../out",
  "a/back": "../../work/a",
  chain: "a/rel/../out",
  "dangling-out": "../out/new",
  "dangling-in": "a/made",
};

/** A folder to work in that is full of links, and one beside it that nothing may reach. */
export async function makeTrap(dir: TempDir): Promise<Trap> {
  const path = await realpath(dir.path);
  const [work, out] = [join(path, "work"), join(path, "out")];
  await makeFiles(path, {
    "work/a/b/c": "inside\n",
    "work/file": "inside\n",
    "out/secret": "SECRET\n",
    "out/unnamed": "",
  });
  for (const [name, target] of Object.entries(trapLinks)) await symlink(target, join(work, name));
  await symlink(out, join(work, "absolute"));
  return { work, out };
}

/** Everything beside the work folder, which must stay as it is. */
export async function readOutside({ work, out }: Trap) {
  const beside = await readdir(join(work, ".."));
  const names = await readdir(out);
  const texts = await Promise.all(names.map((name) => readFile(join(out, name), "utf8")));
  return { beside: beside.sort(), names, texts };
}
