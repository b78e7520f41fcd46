import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { runCli } from "../../src/cli/run-cli.ts";
import { git, gitEnv } from "./git-repo.ts";
import { hook, repoIn, writeFiles } from "./save-repo.ts";
import { launcher, testContext } from "./test-context.ts";

/** A repository with work in it, a bare remote beside it, and a home: all in one folder that can be copied. */
export interface WorkWorld {
  readonly root: string;
  readonly remote: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a command ended that ran in a process of its own. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns what is where in the folder of a world. */
export function worldIn(folder: string): WorkWorld {
  const own = { HOME: folder, CARRYON_HOME: join(folder, "home"), TMPDIR: folder, TZ: "UTC" };
  const env = { ...gitEnv, ...own, NODE_COMPILE_CACHE: join(tmpdir(), "compile-cache") };
  return { root: join(folder, "work"), remote: join(folder, "remote.git"), env };
}

/** Runs a command in a world in this process. */
export async function callIn(world: WorkWorld, args: readonly string[]): Promise<Ended> {
  const { env, root } = world;
  const context = testContext(root, { env, userHome: env.HOME ?? "", machine: hostname() });
  const code = await runCli(args, context);
  return { code, signal: null, stdout: context.said.out, stderr: context.said.err };
}

/** Starts a command in a world in a process of its own. */
export function startIn(
  { root, env }: WorkWorld,
  args: readonly string[],
  more: Readonly<Record<string, string | undefined>> = {},
) {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: root,
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = async (): Promise<Ended> => {
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
  };
  return { child, ended: ended() };
}

/** Makes a world with every kind of change in its work tree, on a branch that its remote does not have yet. */
export async function makeUnsavedWorld(folder: string): Promise<WorkWorld> {
  const world = worldIn(folder);
  const { root, remote } = world;
  await repoIn(root);
  await git(folder, "init", "--quiet", "--bare", remote);
  await git(root, "remote", "add", "origin", "../remote.git");
  await writeFiles(root, { "gone.txt": "gone\n", "staged-gone.txt": "gone too\n", "old.txt": "1\n2\n3\n" });
  await writeFiles(root, { "staged.txt": "first\n", ".gitignore": "ignored.txt\n" });
  await git(root, "add", "-A");
  await git(root, "commit", "-qm", "second");
  await git(root, "push", "-q", "origin", "main");
  await git(root, "checkout", "-qb", "feature");
  await hook(root, "pre-commit", "git diff --cached --name-only > .git/seen");
  await hook(root, "pre-push", "exit 0");
  // A home that has been used: the first use of one is tested elsewhere.
  await callIn(world, ["save", "--no-commit"]);
  await writeFiles(root, { "a.txt": "staged\n", "staged.txt": "second\n", ".env": "A=staged\n" });
  await git(root, "add", "a.txt", "staged.txt", ".env");
  await git(root, "mv", "old.txt", "renamed.txt");
  await git(root, "rm", "-q", "staged-gone.txt");
  await rm(join(root, "gone.txt"));
  await writeFiles(root, { "a.txt": "work tree\n", "new.txt": "new\n", "src/deep/new.txt": "deep\n" });
  await writeFiles(root, { ".env": "A=work tree\n", "ignored.txt": "ignored\n" });
  return world;
}

/** Makes a world whose work was saved on a branch that has gone on elsewhere since; another one is checked out. */
export async function makeSavedWorld(folder: string): Promise<WorkWorld> {
  const world = await makeUnsavedWorld(folder);
  const { root } = world;
  await git(root, "rm", "-qf", ".env");
  await callIn(world, ["save", "--sync"]);
  await git(root, "branch", "-q", "--set-upstream-to=origin/feature");
  for (const name of ["one", "two"]) {
    await writeFiles(root, { [`${name}.txt`]: `${name}\n` });
    await git(root, "add", `${name}.txt`);
    await git(root, "commit", "-qm", name);
  }
  await git(root, "push", "-q");
  await git(root, "reset", "-q", "--keep", "HEAD~2");
  await git(root, "checkout", "-q", "main");
  await writeFiles(root, { "only-here.txt": "committed nowhere else\n" });
  await git(root, "add", "only-here.txt");
  await git(root, "commit", "-qm", "only here");
  return world;
}

/** Copies a world. */
export async function copyWorld(from: string, to: string): Promise<WorkWorld> {
  await cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return worldIn(to);
}
