import { setTimeout as sleep } from "node:timers/promises";
import { busyError } from "../lib/app-error.ts";
import { listGroup } from "../lib/process-group.ts";
import { isAlive, type ProcessIdentity, processFacts, readOwnIdentity } from "../lib/process-identity.ts";
import type { StartedGit } from "./git-run.ts";
import type { Repository } from "./repository.ts";

/** The git that makes the commit of a save, and may outlive it. */
export interface CommittingGit extends ProcessIdentity {
  /** Whether it and its hooks are a group of processes of their own. */
  readonly isGroup: boolean;
}

/** How long a git that has lost its save is waited for, and how often it is looked for. */
const [patienceMs, lookAgainMs] = [5000, 100];

/** Finds out which process a git is; undefined where it has ended already. */
export async function identifyGit({ pid, isGroup }: StartedGit): Promise<CommittingGit | undefined> {
  const [own, started] = await Promise.all([readOwnIdentity(), processFacts().readStart(pid)]);
  const git = { ...own, pid, started, isGroup };
  return started !== null && !/^\d/.test(started) ? undefined : git;
}

/**
 * Waits for the git of a save that was killed: without its index it would commit that there are no files.
 *
 * Throws where it, or a hook of its, has not ended in time.
 */
export async function awaitGit(
  git: CommittingGit,
  { say, run }: Pick<Repository, "say" | "run">,
): Promise<void> {
  for (let waited = 0; ; waited += lookAgainMs) {
    const living = await findLiving(git);
    if (living === undefined) return;
    run.signal?.throwIfAborted();
    if (waited >= patienceMs)
      throw busyError(
        "commit-running",
        `The commit of a save that was ended is still being made: process ${living}, git or a hook of yours.`,
        { hint: `Save again when it has ended. \`ps -p ${living}\` shows what it is.` },
      );
    if (waited === 0)
      say?.(`Waiting for the commit of a save that was ended: process ${living} is still at it.`);
    await sleep(lookAgainMs);
  }
}

/** Returns a process that is still at the commit. One that cannot be seen from here is not waited for. */
async function findLiving(git: CommittingGit): Promise<number | undefined> {
  const liveness = await isAlive(git);
  if (liveness === "alive") return git.pid;
  return liveness === "gone" && git.isGroup ? findInGroup(git) : undefined;
}

async function findInGroup(git: CommittingGit): Promise<number | undefined> {
  const own = await readOwnIdentity();
  // No new process is given the number of a group that still has one: such a group is not that of this git.
  if (git.boot !== own.boot || (await readStart(git.pid)) !== undefined) return undefined;
  return (await listGroup(git.pid))[0];
}

async function readStart(pid: number): Promise<string | undefined> {
  const started = await processFacts().readStart(pid);
  return started !== null && /^\d/.test(started) ? started : undefined;
}
