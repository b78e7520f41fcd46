import { makeRepo } from "./git-repo.ts";
import type { TempDir } from "./temp-dir.ts";

/** Makes a place and returns the folder in which is asked. */
export type Making = (dir: TempDir) => Promise<string>;

/** Makes a repository of two commits with something about it, and asks there or from there. */
export const inRepo =
  (make: (root: string) => Promise<unknown>, below = ""): Making =>
  async (dir) => {
    await makeRepo(dir.join("repo"), ["first", "second"]);
    await make(dir.join("repo"));
    return dir.join("repo", below);
  };
