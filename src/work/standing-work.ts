import { readUnmerged } from "../git/git-facts.ts";
import { toGitPath } from "../git/git-path.ts";
import type { Blocker } from "./blocker.ts";
import { findBlocker } from "./blockers/find-blocker.ts";
import { chooseNext, findSavedTasks, findTasks } from "./find-tasks.ts";
import { findTodos } from "./tasks/find-todos.ts";
import type { Tasks } from "./tasks.ts";
import type { WorkDesk } from "./work-desk.ts";
import type { WorkState } from "./work-state.ts";

/**
 * Returns what stops the work at this moment: what was saved, unless what was recorded since says otherwise. Changes
 * nothing, so that a command that passes later takes the blocker away by itself.
 */
export async function findStandingBlocker(
  desk: WorkDesk,
  saved: WorkState | undefined,
): Promise<Blocker | null> {
  const unmerged = desk.git === undefined ? undefined : await readUnmerged(desk.git);
  const conflicts = (unmerged ?? []).map(toGitPath);
  return findBlocker(desk, { before: saved, conflicts, lastSubject: undefined, reach: "last-day" });
}

/** Returns a state with the tasks as they are at this moment, and the next of them. */
export async function withStandingTasks(desk: WorkDesk, saved: WorkState): Promise<WorkState> {
  const { tasks } = await findSavedTasks(desk, saved);
  const next = chooseNext(saved, tasks);
  const { completed, pending, unlisted } = tasks;
  return { ...saved, completed, pending, unlisted, nextSteps: next === undefined ? [] : [next] };
}

/**
 * Returns the tasks of work that was never saved: in a project that is trusted those of its change, else the list that a
 * client kept, unless digests of its sessions tell it.
 */
export async function findUnsavedTasks(
  desk: WorkDesk,
  { isTrusted, hasDigest }: { readonly isTrusted: boolean; readonly hasDigest: boolean },
): Promise<Tasks | undefined> {
  const newest = hasDigest ? null : undefined;
  if (isTrusted) return (await findTasks(desk, {}, undefined, newest)).tasks;
  return (await findTodos(desk, newest))?.tasks;
}
