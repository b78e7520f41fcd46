import { rm } from "node:fs/promises";
import type { GitPath } from "./git-path.ts";
import { GitRefused } from "./git-refused.ts";
import type { TreeEntry } from "./git-status.ts";
import { type GitResult, type GitRun, runGit } from "./run-git.ts";

/** What an index is to say of a path; undefined takes the path out of it. */
export interface IndexLine {
  readonly path: GitPath;
  readonly entry: TreeEntry | undefined;
}

/** Sets the paths of an index to what it reads. */
export const indexInfo = ["update-index", "-z", "--index-info"] as const;

/** Renders lines for git; `hashLength` is how many digits the repository's hashes have. */
export function renderIndexInfo(lines: readonly IndexLine[], hashLength: number): string {
  const nothing = "0".repeat(hashLength);
  return lines
    .map(({ path, entry }) => `${entry?.mode ?? "0"} ${entry?.hash ?? nothing}\t${path}\0`)
    .join("");
}

/** An index beside the user's, in which a commit is put together. */
export class TemporaryIndex {
  readonly path: string;
  readonly #run: GitRun;
  readonly #hashLength: number;

  /** `hashLength` is how many digits the repository's hashes have. */
  constructor(path: string, run: GitRun, hashLength: number) {
    this.path = path;
    this.#run = run;
    this.#hashLength = hashLength;
  }

  /** Runs git with this index in place of the user's. */
  run(args: readonly string[], more: Partial<GitRun> = {}): Promise<GitResult> {
    const env = { ...this.#run.env, GIT_INDEX_FILE: this.path };
    return runGit({ ...this.#run, ...more, env }, args);
  }

  /** Sets paths to what is known of them, without a look at the work tree. */
  async set(lines: readonly IndexLine[]): Promise<void> {
    if (lines.length === 0) return;
    await this.#must(indexInfo, renderIndexInfo(lines, this.#hashLength));
  }

  /** Takes files as the work tree has them. */
  async add(paths: readonly GitPath[]): Promise<void> {
    if (paths.length === 0) return;
    const input = paths.map((path) => `${path}\0`).join("");
    await this.#must(["update-index", "--add", "--replace", "-z", "--stdin"], input);
  }

  /** Writes its content down as a tree, and returns the name of that. */
  async writeTree(): Promise<string> {
    return (await this.#must(["write-tree"])).trim();
  }

  async #must(args: readonly string[], input = ""): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, { input });
    if (code !== 0) throw new GitRefused(stderr);
    return stdout;
  }
}

/** Removes an index, and the lock that a git which was ended may have left on it. */
export async function removeIndex(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.lock`, { force: true });
}
