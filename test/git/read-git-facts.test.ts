import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  askBranch,
  askCommit,
  askGitFacts,
  askTip,
  askUnmerged,
  hasCommit,
  isMerging,
  normaliseRemote,
  readCheckedOut,
  readGitFacts,
  readRemote,
  readRootCommits,
  readUnmerged,
} from "../../src/git/git-facts.ts";
import { isSurelyMerged } from "../../src/git/is-surely-merged.ts";
import { readHead } from "../../src/git/read-head.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { tryGit } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Makes a repository with three files in it, one of them with a long name. */
async function makeFilled(root: string, ...how: readonly string[]): Promise<string> {
  await mkdir(root, { recursive: true });
  await git(root, "init", "--quiet", "--initial-branch=main", ...how);
  const long = join(root, "x".repeat(200), "y".repeat(200));
  await mkdir(long, { recursive: true });
  for (const path of [join(root, "a"), join(root, "b"), join(long, "z".repeat(100))])
    await writeFile(path, "1\n");
  return commit(root, "one");
}

async function commit(root: string, message: string): Promise<string> {
  await git(root, "add", "--all");
  await git(root, "commit", "--quiet", "--allow-empty", "--message", message);
  return git(root, "rev-parse", "HEAD");
}

/** Leaves a merge of two branches that changed one file unfinished. */
async function makeConflict(root: string): Promise<void> {
  await makeFilled(root);
  await git(root, "checkout", "--quiet", "-b", "other");
  await writeFile(join(root, "b"), "2\n");
  await commit(root, "two");
  await git(root, "checkout", "--quiet", "main");
  await writeFile(join(root, "b"), "3\n");
  await commit(root, "three");
  await expect(git(root, "merge", "other")).rejects.toThrow("merge other");
}

const places: readonly {
  readonly case: string;
  readonly make: (root: string) => Promise<unknown>;
  /** Where in it somebody is. */
  readonly at?: string;
}[] = [
  { case: "no repository", make: (root) => mkdir(root, { recursive: true }) },
  { case: "a repository without a commit", make: (root) => makeRepo(root, []) },
  { case: "a repository without a file", make: (root) => makeRepo(root, ["one", "two"]) },
  { case: "a repository with files", make: (root) => makeFilled(root) },
  { case: "a folder in a repository", make: (root) => makeFilled(root), at: "x".repeat(200) },
  {
    case: "a detached HEAD",
    make: async (root) => {
      await makeFilled(root);
      await git(root, "checkout", "--quiet", "--detach");
    },
  },
  {
    case: "packed commits and branches",
    make: async (root) => {
      await makeFilled(root);
      await git(root, "gc", "--quiet");
    },
  },
  {
    case: "a work tree of its own",
    make: async (root) => {
      await makeFilled(`${root}-main`);
      await git(`${root}-main`, "worktree", "add", "--quiet", "-b", "side", root);
    },
  },
  {
    case: "a shallow clone",
    make: async (root) => {
      await makeRepo(`${root}-origin`, ["one", "two"]);
      await git(`${root}-origin`, "clone", "--quiet", "--depth=1", `file://${root}-origin`, root);
    },
  },
  { case: "an unfinished merge", make: makeConflict },
  {
    case: "an unfinished merge, and names that are shortened",
    make: async (root) => {
      await makeConflict(root);
      await git(root, "update-index", "--index-version=4");
    },
  },
  {
    case: "an index that is split",
    make: async (root) => {
      await makeFilled(root);
      await git(root, "update-index", "--split-index");
    },
  },
  {
    case: "files that are only meant to be added",
    make: async (root) => {
      await makeFilled(root);
      await writeFile(join(root, "c"), "");
      await git(root, "add", "--intent-to-add", "c");
    },
  },
  {
    case: "a merge of two beginnings",
    make: async (root) => {
      await makeFilled(root);
      await git(root, "switch", "--quiet", "--orphan", "other");
      await git(root, "commit", "--quiet", "--allow-empty", "--message", "other");
      await git(root, "merge", "--quiet", "--allow-unrelated-histories", "--message", "both", "main");
    },
  },
  {
    case: "a commit that another is shown for",
    make: async (root) => {
      await makeRepo(root, ["one", "two", "three"]);
      await git(root, "replace", "--graft", "HEAD");
    },
  },
  { case: "longer hashes", make: (root) => makeFilled(root, "--object-format=sha256") },
];

describe("what git's files say", () => {
  it.each(places)("is what git says: $case", async ({ make, at = "" }) => {
    await using dir = await tempDir();
    const root = dir.join("repo");
    await make(root);
    const cwd = join(root, at);
    const facts = await readGitFacts(cwd);
    expect(facts && { ...facts, files: undefined }).toEqual(await askGitFacts(cwd));
    const [branch, tip] = [await askBranch(cwd), await askTip(cwd)];
    for (const tree of [cwd, facts ?? cwd]) {
      expect(await readCheckedOut(tree)).toEqual({ branch, tip });
      expect(await readUnmerged(tree)).toEqual(await askUnmerged(cwd));
    }
    expect(await isMerging(cwd)).toBe((await tryGit(cwd, "rev-parse", "--verify", "MERGE_HEAD")) === 0);
    const roots = await git(cwd, "rev-list", "--max-parents=0", "HEAD").catch(() => "");
    expect(await readRootCommits(cwd)).toEqual(roots === "" ? [] : roots.split("\n"));
    for (const commit of [tip ?? "0".repeat(40), "f".repeat(40)])
      expect(await hasCommit(cwd, commit)).toBe(await askCommit(cwd, commit));
  });

  it("says of no conflicts only where there are certainly none", async () => {
    await using dir = await tempDir();
    const root = dir.join("repo");
    await makeFilled(root);
    const look = () => isSurelyMerged(readHead(root)?.gitFolder ?? "");
    expect(look()).toBe(true);
    for (const text of ["", "DIRC", "x".repeat(100), `DIRC\0\0\0\x02\0\0\0\x01${"\0".repeat(40)}`]) {
      await writeFile(join(root, ".git", "index"), text);
      expect(look()).toBe(false);
    }
    await rm(join(root, ".git", "index"));
    expect(look()).toBe(true);
  });

  it("does not count where no git is there to be asked", async () => {
    await using dir = await tempDir();
    const root = dir.join("repo");
    await makeFilled(root);
    const { PATH } = process.env;
    process.env.PATH = dir.path;
    try {
      expect(await readGitFacts(root)).toBeUndefined();
    } finally {
      process.env.PATH = PATH;
    }
  });
});

it.each([
  { case: "no remote", config: "", remote: undefined },
  {
    case: "an address",
    config: '[remote "origin"]\n\turl = git@example.com:me/it.git\n',
    remote: "example.com/me/it",
  },
  {
    case: "the last of two",
    config: '[remote "origin"]\nurl = a:b\n[remote "origin"]\nurl = c:d\n',
    remote: "c/d",
  },
  { case: "an older spelling", config: "[remote.origin] url = c:d\n", remote: "c/d" },
  { case: "another remote", config: '[remote "Origin"]\nurl = c:d\n', remote: undefined },
  { case: "a quoted address", config: '[remote "origin"]\nurl = "c:d" # mine\n', remote: "c/d" },
  { case: "another file", config: "[include]\npath = more\n", remote: "e/f" },
])("knows where a repository came from as git does: $case", async ({ config, remote }) => {
  await using dir = await tempDir();
  await makeRepo(dir.path, ["first"]);
  await appendFile(dir.join(".git", "config"), config);
  await writeFile(dir.join(".git", "more"), '[remote "origin"]\nurl = e:f\n');
  const told = await git(dir.path, "config", "--get", "remote.origin.url").catch(() => "");
  expect([await readRemote(dir.path), normaliseRemote(told)]).toEqual([remote, remote]);
});
