import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Head, readHead } from "../../src/git/read-head.ts";
import { anyCharacter } from "../support/any-character.ts";
import { casesWithPrograms } from "../support/cases.ts";
import { inRepo, type Making } from "../support/git-places.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { tryGit } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

/** What git says of the same place; null where it finds no work tree. */
async function askRealGit(cwd: string): Promise<Head | null> {
  if ((await tryGit(cwd, "rev-parse", "--show-toplevel")) !== 0) return null;
  const path = (what: string) => git(cwd, "rev-parse", "--path-format=absolute", what);
  const isDetached = (await tryGit(cwd, "symbolic-ref", "--quiet", "HEAD")) !== 0;
  return {
    root: await path("--show-toplevel"),
    gitFolder: await path("--absolute-git-dir"),
    commonFolder: realpathSync(await path("--git-common-dir")),
    branch: isDetached ? null : (await git(cwd, "symbolic-ref", "HEAD")).replace("refs/heads/", ""),
    hashLength: (await git(cwd, "rev-parse", "--show-object-format")) === "sha256" ? 64 : 40,
  };
}

const addSubmodule = async (root: string) => {
  await makeRepo(join(dirname(root), "library"), ["first"]);
  await git(root, "submodule", "--quiet", "add", "../library", "deep/library");
};

const places: Readonly<Record<string, Making>> = {
  "a plain repository": inRepo(async () => undefined),
  "a folder below": inRepo(async (root) => mkdirSync(join(root, "one/two"), { recursive: true }), "one/two"),
  "a folder that is reached through a link": inRepo(async (root) => {
    mkdirSync(join(root, "real/deep"), { recursive: true });
    symlinkSync("real/deep", join(root, "link"));
  }, "link"),
  "a worktree inside of the repository": inRepo(
    (root) => git(root, "worktree", "add", "--quiet", "-b", "side", "inside/side"),
    "inside/side",
  ),
  "a worktree in another place": inRepo(
    (root) => git(root, "worktree", "add", "--quiet", "-b", "side", "../elsewhere"),
    "../elsewhere",
  ),
  "a detached worktree": inRepo(
    (root) => git(root, "worktree", "add", "--quiet", "--detach", "../elsewhere"),
    "../elsewhere",
  ),
  "a worktree of a bare repository": async (dir) => {
    await makeRepo(dir.join("repo"), ["first"]);
    await git(dir.path, "clone", "--quiet", "--bare", "repo", "bare.git");
    await git(dir.join("bare.git"), "worktree", "add", "--quiet", "-b", "side", "../side");
    return dir.join("side");
  },
  "a worktree with settings of its own": inRepo(async (root) => {
    await git(root, "worktree", "add", "--quiet", "-b", "side", "../elsewhere");
    await git(root, "config", "extensions.worktreeConfig", "true");
    await git(join(root, "../elsewhere"), "config", "--worktree", "core.sparseCheckout", "false");
  }, "../elsewhere"),
  "a submodule": inRepo(addSubmodule, "deep/library"),
  "a submodule of a worktree": inRepo(async (root) => {
    await addSubmodule(root);
    await git(root, "commit", "-qam", "library");
    await git(root, "worktree", "add", "--quiet", "-b", "side", "../side");
    await git(join(root, "../side"), "submodule", "--quiet", "update", "--init");
  }, "../side/deep/library"),
  "a detached HEAD": inRepo((root) => git(root, "checkout", "--quiet", "--detach")),
  "a branch without a commit": async (dir) => {
    await makeRepo(dir.join("repo"), []);
    return dir.join("repo");
  },
  "a branch with slashes": inRepo((root) => git(root, "switch", "-qc", "feature/deep/er")),
  "a branch of another language": inRepo((root) => git(root, "switch", "-qc", "größe/日本/🚀")),
  "a branch with odd characters": inRepo((root) => git(root, "switch", "-qc", "a;$(id)'\"&{}@-")),
  "a branch named like a tag": inRepo(async (root) => {
    await git(root, "tag", "twice");
    await git(root, "switch", "-qc", "twice");
  }),
  "packed refs": inRepo((root) => git(root, "pack-refs", "--all")),
  "a repository inside a repository": inRepo(
    (root) =>
      makeRepo(join(root, "inner"), ["other"]).then(() => git(join(root, "inner"), "switch", "-qc", "x")),
    "inner",
  ),
  "a HEAD that is a link": inRepo(async (root) => {
    rmSync(join(root, ".git/HEAD"));
    symlinkSync("refs/heads/main", join(root, ".git/HEAD"));
  }),
  "the middle of a rebase": inRepo(async (root) => {
    await tryGit(root, "rebase", "--exec", "false", "HEAD~1");
  }),
  "the middle of a merge": inRepo(async (root) => {
    await git(root, "switch", "-qc", "side");
    await git(root, "commit", "--quiet", "--allow-empty", "--message", "side");
    await git(root, "switch", "--quiet", "main");
    await git(root, "merge", "--quiet", "--no-ff", "--no-commit", "side");
  }),
  "a repository of SHA-256": async (dir) => {
    await git(dir.path, "init", "--quiet", "--object-format=sha256", "--initial-branch=main", "repo");
    await git(dir.join("repo"), "commit", "--quiet", "--allow-empty", "--message", "first");
    await git(dir.join("repo"), "checkout", "--quiet", "--detach");
    return dir.join("repo");
  },
  "a folder whose name has a line end": async (dir) => {
    await makeRepo(dir.join("two\nlines"), ["first"]);
    return dir.join("two\nlines");
  },
  "a work tree that says that it is one": inRepo((root) => git(root, "config", "core.worktree", root)),
};

describe("says what git says in", () => {
  it.each(Object.entries(places))("%s", async (_, make) => {
    await using dir = await tempDir();
    const cwd = await make(dir);
    const said = await askRealGit(cwd);
    expect(said).not.toBeNull();
    expect(readHead(cwd)).toEqual(said);
  });
});

const nowhere: Readonly<Record<string, Making>> = {
  "a plain folder": async (dir) => dir.path,
  "a folder with a file of that name": async (dir) => {
    writeFileSync(dir.join("git"), "");
    return dir.path;
  },
};

it.each(Object.entries(nowhere))("finds no repository in %s", async (_, make) => {
  await using dir = await tempDir();
  const cwd = await make(dir);
  expect([await askRealGit(cwd), readHead(cwd)]).toEqual([null, null]);
});

it("says of any HEAD what git says, or nothing", async () => {
  await using dir = await tempDir();
  await makeRepo(dir.join("repo"), ["first"]);
  const root = realpathSync(dir.join("repo"));
  const part = fc.oneof(
    fc.constantFrom(".", "/", "..", ".lock", "@{", " ", "\t", "\n", "a", "é", "\u0085", "~", "*", "-", "@"),
    fc.string({ unit: anyCharacter, maxLength: 3 }),
  );
  const name = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
  const before = fc.constantFrom(
    "ref: refs/heads/",
    "ref:refs/heads/",
    "ref:\trefs/heads/x",
    "ref: refs/",
    "",
  );
  await fc.assert(
    fc.asyncProperty(before, name, fc.constantFrom("", "\n", " \n"), async (start, rest, end) => {
      writeFileSync(join(root, ".git/HEAD"), `${start}${rest}${end}`);
      const found = readHead(root);
      if (typeof found?.branch !== "string") return;
      expect(await git(root, "symbolic-ref", "HEAD")).toBe(`refs/heads/${found.branch}`);
    }),
    { numRuns: casesWithPrograms(100) },
  );
});
