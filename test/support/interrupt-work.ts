import { createHash } from "node:crypto";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readState } from "../../src/work/state-store.ts";
import { stateFile } from "../../src/work/work-state.ts";
import { git } from "./git-repo.ts";
import { type Interruption, makeGitShim } from "./git-shim.ts";
import { type Holdings, readHoldings, statusOf } from "./save-repo.ts";
import { tempDir } from "./temp-dir.ts";
import { callIn, copyWorld, startIn, type WorkWorld } from "./work-world.ts";

/** How a repository looks from outside. */
export interface View {
  readonly branch: string;
  readonly status: readonly string[];
  readonly tree: string;
  /** What is staged, by hash. */
  readonly index: string;
}

/** Returns how a repository looks from outside. */
export async function viewOf({ root }: WorkWorld): Promise<View> {
  const [branch, status, tree, index] = await Promise.all([
    git(root, "symbolic-ref", "--short", "HEAD"),
    statusOf(root),
    git(root, "rev-parse", "HEAD^{tree}"),
    git(root, "ls-files", "--stage"),
  ]);
  return { branch, status, tree, index: createHash("sha256").update(index).digest("hex") };
}

/** A command that is interrupted, and the one that is run after it. */
export interface Interrupted {
  /** The folder of the world that it runs in, which is copied for each time. */
  readonly template: string;
  readonly command: readonly string[];
  readonly next: readonly string[];
  readonly lost: (root: string, before: Holdings) => Promise<readonly string[]>;
  /** The first call of git that is worth an interruption. */
  readonly from: RegExp;
}

/** What became of a repository. */
interface Trial {
  /** What cannot be found any more, and locks that were left. */
  readonly problems: readonly string[];
  /** After the next command. */
  readonly view: View;
}

const writing = /(?<!-)\b(?:update-index|write-tree|commit-tree|commit|update-ref|switch|merge|push)\b/;

/**
 * Interrupts a command before each call of git from one on, and after each that writes; returns what was wrong.
 *
 * Before a call that only reads is as after the one that came before it.
 */
export async function sweepCalls(interrupted: Interrupted) {
  await using dir = await tempDir();
  const { template, command, next } = interrupted;
  const whole = await copyWorld(template, dir.join("whole"));
  const { env, readCalls } = await makeGitShim(dir.join("bin"), { call: 0, moment: "before" });
  await startIn(whole, command, env).ended;
  const calls = await readCalls();
  await callIn(whole, next);
  const expected = await viewOf(whole);
  const wrong: unknown[] = [];
  for (const { call, moment } of chooseMoments(calls, interrupted)) {
    const { problems, view } = await interruptAtCall(dir.join(`${moment}-${call}`), interrupted, {
      call,
      moment,
    });
    const isSame = JSON.stringify(view) === JSON.stringify(expected);
    if (problems.length === 0 && isSame) continue;
    wrong.push({ moment, call: `${call}: ${calls[call - 1]}`, problems, ...(!isSame && { view, expected }) });
  }
  return { calls: calls.length, wrong };
}

function chooseMoments(calls: readonly string[], { from }: Interrupted): readonly Interruption[] {
  const first = calls.findIndex((call) => from.test(call));
  if (first === -1) throw new Error(`No call of git is like ${from}.`);
  return calls.flatMap((text, index): readonly Interruption[] => {
    if (index < first) return [];
    const before = { call: index + 1, moment: "before" } as const;
    return writing.test(text) ? [before, { ...before, moment: "after" }] : [before];
  });
}

/** Runs a command, has it killed at a call of git, and runs the next one. */
async function interruptAtCall(
  folder: string,
  interrupted: Interrupted,
  interruption: Interruption,
): Promise<Trial> {
  const world = await copyWorld(interrupted.template, join(folder, "world"));
  const { env } = await makeGitShim(join(folder, "bin"), interruption);
  const before = await readHoldings(world.root);
  const ended = await startIn(world, interrupted.command, env).ended;
  const missed = ended.signal === "SIGKILL" ? [] : [`not interrupted: ${JSON.stringify(ended)}`];
  // Another git that was asked at the same time has its own lock until it ends.
  await awaitOrphans(world.root);
  const locks = await findLocks(world);
  const { problems, view } = await goOn(world, interrupted, before);
  return { problems: [...missed, ...locks, ...problems], view };
}

/** Looks what is left after an interruption, runs the next command and looks again. */
export async function goOn(
  world: WorkWorld,
  { next, lost }: Pick<Interrupted, "next" | "lost">,
  before: Holdings,
): Promise<Trial> {
  const look = async () => {
    const found = await lost(world.root, before);
    // It changes with every save, and the log has all of them.
    const others = found.filter((each) => !each.endsWith(`/${stateFile}`));
    const { type } = await readState(world.root);
    return [...others, ...(type === "state" ? [] : [`state ${type}`])];
  };
  const after = await look();
  const { code, stderr } = await callIn(world, next);
  const failed = code === 0 ? [] : [`the next command ended with ${code}: ${stderr}`];
  const problems = [...after, ...failed, ...(await look()), ...(await findLocks(world))];
  return { problems, view: await viewOf(world) };
}

/** Returns the locks of git that lie around. */
async function findLocks({ root }: WorkWorld): Promise<readonly string[]> {
  const names = await readdir(join(root, ".git"), { recursive: true });
  return names.filter((name) => name.endsWith(".lock")).map((name) => `lock ${name}`);
}

/** Waits until no process is in a folder. */
export async function awaitOrphans(folder: string): Promise<void> {
  const isThere = async (pid: string) =>
    (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === folder;
  for (;;) {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    if (!(await Promise.all(pids.map(isThere))).includes(true)) return;
    await sleep(10);
  }
}
