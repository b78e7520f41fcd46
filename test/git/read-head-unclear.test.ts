import { execFile } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readHead } from "../../src/git/read-head.ts";
import { inRepo, type Making } from "../support/git-places.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { tryGit, writeFiles } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const config = (text: string) => inRepo((root) => writeFiles(root, { ".git/config": text }));
const head = (text: string) => inRepo((root) => writeFiles(root, { ".git/HEAD": text }));
const dotGit =
  (text: string): Making =>
  async (dir) => {
    await makeRepo(dir.join("repo"), ["first"]);
    await writeFiles(dir.path, { "work/.git": text });
    return dir.join("work");
  };

/** Where git has to be asked, whatever it says then. */
const unclear: Readonly<Record<string, Making>> = {
  "a bare repository": async (dir) => {
    await git(dir.path, "init", "--quiet", "--bare", "bare.git");
    return dir.join("bare.git");
  },
  "a git folder": inRepo(async () => undefined, ".git"),
  "a folder below a git folder": inRepo(async () => undefined, ".git/refs/heads"),
  "the git folder of a worktree": inRepo(
    (root) => git(root, "worktree", "add", "--quiet", "-b", "side", "../side"),
    ".git/worktrees/side",
  ),
  "a folder that is not there": async (dir) => dir.join("missing"),
  "a repository that is bare by its settings": inRepo((root) => git(root, "config", "core.bare", "true")),
  "a repository that is bare by the settings of the work tree": inRepo(async (root) => {
    await git(root, "config", "extensions.worktreeConfig", "true");
    await writeFiles(root, { ".git/config.worktree": "[core]\n\tbare\n" });
  }),
  "a repository whose work tree is elsewhere": inRepo(async (root) => {
    mkdirSync(join(root, "other"));
    await git(root, "config", "core.worktree", "../other");
  }),
  "a quoted path of the work tree": config('[core]\n\tworktree = "../"\n'),
  "settings on the line of their section": config("[CORE] Bare = YES\n"),
  "refs that are kept in another way": config(
    "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n",
  ),
  "a HEAD that says so": head("ref: refs/heads/.invalid\n"),
  "a newer format": config("[core]\n\trepositoryformatversion = 2\n"),
  "a HEAD that is empty": head(""),
  "a HEAD of rubbish": head("main\n"),
  "a HEAD on what is no branch": head("ref: refs/remotes/origin/main\n"),
  "a HEAD that leads out": head("ref: refs/heads/../../config\n"),
  "a HEAD with two lines": head("ref: refs/heads/a\nb\n"),
  "a HEAD that is no UTF-8": inRepo(async (root) =>
    writeFileSync(join(root, ".git/HEAD"), Buffer.from("ref: refs/heads/\xff\n", "latin1")),
  ),
  "a HEAD of a megabyte": head(`ref: refs/heads/${"a".repeat(1 << 20)}\n`),
  "a HEAD that is a link to elsewhere": inRepo(async (root) => {
    rmSync(join(root, ".git/HEAD"));
    symlinkSync("/etc/hostname", join(root, ".git/HEAD"));
  }),
  "a .git that is a link": async (dir) => {
    await makeRepo(dir.join("repo"), ["first"]);
    mkdirSync(dir.join("work"));
    symlinkSync("../repo/.git", dir.join("work/.git"));
    return dir.join("work");
  },
  "an empty .git folder": async (dir) => {
    mkdirSync(dir.join("work/.git"), { recursive: true });
    return dir.join("work");
  },
  "a .git file that names a repository which does not name it": dotGit("gitdir: ../repo/.git\n"),
  "a .git file that names the worktree of somebody else": async (dir) => {
    const work = await dotGit("gitdir: ../repo/.git/worktrees/side\n")(dir);
    await git(dir.join("repo"), "worktree", "add", "--quiet", "-b", "side", "../side");
    return work;
  },
  "a .git file that names itself": dotGit("gitdir: .git\n"),
  "a .git file that names nothing": dotGit("gitdir: \n"),
  "a .git file that names what is missing": dotGit("gitdir: ../missing\n"),
  "a .git file without its word": dotGit("../repo/.git\n"),
  "a .git file of a megabyte": dotGit(`gitdir: ${"../repo/.git/".repeat(80_000)}\n`),
  "a common folder that is another repository's": inRepo(async (root) => {
    await makeRepo(join(root, "../victim"), ["secret"]);
    await writeFiles(root, { ".git/commondir": "../../victim/.git\n" });
  }),
  "a common folder in the system": inRepo((root) => writeFiles(root, { ".git/commondir": "/etc\n" })),
  "a common folder that is itself": inRepo((root) => writeFiles(root, { ".git/commondir": ".\n" })),
  "a worktree whose common folder was changed": inRepo(async (root) => {
    await makeRepo(join(root, "../victim"), ["secret"]);
    await git(root, "worktree", "add", "--quiet", "-b", "side", "../side");
    await writeFiles(root, { ".git/worktrees/side/commondir": "../../../../victim/.git\n" });
  }, "../side"),
  "a worktree whose common folder leads in a circle": inRepo(async (root) => {
    await git(root, "worktree", "add", "--quiet", "-b", "side", "../side");
    rmSync(join(root, ".git/worktrees/side/commondir"));
    symlinkSync("commondir", join(root, ".git/worktrees/side/commondir"));
  }, "../side"),
  "a worktree whose common folder is a megabyte long": inRepo(async (root) => {
    await git(root, "worktree", "add", "--quiet", "-b", "side", "../side");
    await writeFiles(root, { ".git/worktrees/side/commondir": "../".repeat(350_000) });
  }, "../side"),
  "settings of a megabyte": inRepo((root) =>
    writeFiles(root, { ".git/config": `[core]\n${"\tx = y\n".repeat(150_000)}` }),
  ),
};

describe("leaves it to git in", () => {
  it.each(Object.entries(unclear))("%s", async (_, make) => {
    await using dir = await tempDir();
    expect(readHead(await make(dir))).toBeUndefined();
  });
});

it("leaves the repository of another user to git", async () => {
  await using dir = await tempDir();
  await makeRepo(dir.join("repo"), ["first"]);
  expect(readHead(dir.join("repo"), { user: 4711 })).toBeUndefined();
});

it.each(["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES"])(
  "leaves it to git where %s is set",
  async (name) => {
    await using dir = await tempDir();
    await makeRepo(dir.join("repo"), ["first"]);
    const env = { [name]: "", PATH: "/bin" };
    expect([readHead(dir.join("repo"), { env }), readHead(dir.path, { env })]).toEqual([
      undefined,
      undefined,
    ]);
  },
);

it("does not wait for a pipe in place of HEAD", async () => {
  await using dir = await tempDir();
  await makeRepo(dir.join("repo"), ["first"]);
  rmSync(dir.join("repo/.git/HEAD"));
  await promisify(execFile)("mkfifo", [dir.join("repo/.git/HEAD")]);
  expect(readHead(dir.join("repo"))).toBeUndefined();
});

it.each([
  "x.lock",
  "x.lock/y",
  "a@{b",
  "a~b",
  "a^b",
  "a:b",
  "a?b",
  "a*b",
  "a[b",
  "a\\b",
  "a b",
  "a\tb",
  "a\u007fb",
])("takes %j for no branch, as git does", async (name) => {
  await using dir = await tempDir();
  const cwd = await head(`ref: refs/heads/${name}\n`)(dir);
  expect([await tryGit(cwd, "check-ref-format", `refs/heads/${name}`), readHead(cwd)]).toEqual([
    1,
    undefined,
  ]);
});

it.each(["a/.b", ".b", "a//b", "/a", "a/", "a.", "a..b"])(
  "takes %j for no branch, as git does",
  async (name) => {
    await using dir = await tempDir();
    const cwd = await head(`ref: refs/heads/${name}\n`)(dir);
    expect([await tryGit(cwd, "check-ref-format", `refs/heads/${name}`), readHead(cwd)]).toEqual([
      1,
      undefined,
    ]);
  },
);
