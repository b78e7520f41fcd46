import { join } from "node:path";
import type { GitPath } from "../git/git-path.ts";
import type { Blocker } from "./blocker.ts";

/** How much a save does: a commit; a push as well; and a verification as well. */
export const saveModes = ["quick", "sync", "full"] as const;
export type SaveMode = (typeof saveModes)[number];

/** The description of work that nobody has described. */
export const unnamedWork = "work in progress";

/** How far a change of OpenSpec has come. */
export const changeStatuses = ["DRAFT", "IN_PROGRESS", "BLOCKED", "DEPLOYED", "ARCHIVED"] as const;
export type ChangeStatus = (typeof changeStatuses)[number];

/** A file that had changed when the state was saved. */
export interface SavedFile {
  readonly path: string;
  /** The hash of its content; null when it was gone. */
  readonly sha256: string | null;
  /** Why it was left out of the commit; absent for one that is in it. */
  readonly leftOut?: string;
}

/** How many tasks are done, of how many. */
export interface TaskCount {
  readonly completed: number;
  readonly total: number;
}

/** Where the work stood when it was saved: what session-state.json says. */
export interface WorkState {
  /** One of `saveModes`, unless another program wrote it. */
  readonly mode: string;
  readonly savedAt: Date;
  /** Null outside git, and on a detached HEAD. */
  readonly branch: string | null;
  /** Abbreviated; null outside git, and before the first commit. */
  readonly commit: string | null;
  /** The file does not say at which commit it was saved; absent where it does, be it null. */
  readonly isCommitUnknown?: true;
  /** By whom the last commit that a save wanted was refused, and what was said against it; absent where it was made. */
  readonly refusedCommit?: string;
  /** Whether the commit is where others can get it. */
  readonly isPushed: boolean;
  /** The change of OpenSpec that is worked on. */
  readonly change: string | null;
  /** One of `changeStatuses`, unless another program wrote it. */
  readonly changeStatus: string | null;
  readonly workingOn: string;
  readonly nextSteps: readonly string[];
  readonly blocker: Blocker | null;
  readonly completed: readonly string[];
  readonly pending: readonly string[];
  /** Tasks that an author counts and does not list: the difference between `task_progress` and the lists. */
  readonly unlisted?: TaskCount | undefined;
  /** The session in the store that it was saved in. */
  readonly session: string | null;
  readonly modifiedFiles: readonly SavedFile[];
}

/** The tasks that are done and those that are left. */
export type TaskLists = Pick<WorkState, "completed" | "pending" | "unlisted">;

/** Returns how many of all tasks are done, those included that no list names. */
export function progressOf({
  completed,
  pending,
  unlisted,
}: TaskLists): TaskCount & { readonly percentage: number } {
  const total = Math.max(0, completed.length + pending.length + (unlisted?.total ?? 0));
  const done = Math.min(total, Math.max(0, completed.length + (unlisted?.completed ?? 0)));
  return { completed: done, total, percentage: percentOf(done, total) };
}

/** Describes how many tasks are done: `5/8 tasks (63%)`. */
export function describeProgress(tasks: TaskLists): string {
  const { completed, total, percentage } = progressOf(tasks);
  return `${completed}/${total} tasks (${percentage}%)`;
}

/** Returns how many of all tasks are done, in whole percent; none of none is 0. */
export function percentOf(completed: number, total: number): number {
  return total === 0 ? 0 : Math.round((completed / total) * 100);
}

/** The path of the state from the top of a project. */
export const stateFile = ".claude/session-state.json" as GitPath;

/** What git is told to leave out: the state, and one that was moved aside. */
export const statePatterns: readonly string[] = [
  "/.claude/session-state.json",
  "/.claude/session-state.broken-*.json",
];

/** Returns where the state of a project is. */
export function locateState(root: string): string {
  return join(root, ".claude", "session-state.json");
}
