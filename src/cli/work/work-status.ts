import { lstat } from "node:fs/promises";
import { relative } from "node:path";
import { readHead } from "../../git/git-changes.ts";
import { readSubject } from "../../git/git-history.ts";
import { locateHandover } from "../../handover/handover-folder.ts";
import { AppError } from "../../lib/app-error.ts";
import { describeAge } from "../../lib/duration.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import type { JsonObject } from "../../sessions/entry.ts";
import type { Blocker } from "../../work/blocker.ts";
import { readBlocker } from "../../work/change-blocker.ts";
import { chooseNext } from "../../work/choose-next.ts";
import { findSavedTasks } from "../../work/find-tasks.ts";
import { isOwnState } from "../../work/foreign-state.ts";
import { openWorkDesk } from "../../work/open-work-desk.ts";
import { readSavedChange } from "../../work/read-change.ts";
import {
  renderBlocker,
  renderFact,
  renderForeign,
  renderProgress,
  renderRefused,
} from "../../work/render-work.ts";
import { toWireBlocker, toWireState } from "../../work/render-work-state.ts";
import { readState } from "../../work/state-store.ts";
import type { Tasks } from "../../work/tasks.ts";
import type { WorkState } from "../../work/work-state.ts";
import { chooseHandoverPlace } from "../../workspace/choose-handover-place.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { CommandContext } from "../command-context.ts";

/** Where the work stands, as far as files and git tell. */
export interface WorkStatus {
  readonly commit: { readonly id: string; readonly subject: string } | undefined;
  /** Undefined where nothing was saved, or it cannot be read. */
  readonly state: WorkState | undefined;
  /** What stops the work now: what was saved, unless what was recorded since says otherwise. */
  readonly blocker: Blocker | null;
  /** Whether the state was written by this user here; what somebody else wrote is no instruction. */
  readonly isOwn: boolean;
  /** What comes next, as the tasks say now. */
  readonly next: string | undefined;
  /** What is wrong with the state. */
  readonly problem: string | undefined;
  readonly handover: { readonly path: string; readonly at: Date } | undefined;
  readonly now: Date;
}

/** What the log knows of the work. */
export interface RecordedWork extends Pick<WorkStatus, "blocker" | "isOwn"> {
  /** The tasks of the saved work as they are now; undefined where nothing was saved, or they cannot be read. */
  readonly tasks: Tasks | undefined;
}

/** Reads what the log knows of the work. What is wrong with the state is said with it. */
export async function readRecordedWork(here: Workspace): Promise<RecordedWork | undefined> {
  try {
    const desk = await openWorkDesk(here);
    const { state } = await readSaved(here.root);
    const isOwn = state === undefined || (await isOwnState(desk, state));
    const tasks = state && (await unlessUnreadable(() => findSavedTasks(desk, state)))?.tasks;
    return { blocker: await readBlocker(desk), isOwn, tasks };
  } catch (error) {
    // What is wrong with the configuration, the commands say that need it.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Finds out where the work stands. What cannot be read is said, and hides nothing else. */
export async function readWorkStatus(
  context: CommandContext,
  root: string,
  recorded: RecordedWork | undefined,
): Promise<WorkStatus> {
  const [id, subject] = await Promise.all([readHead(root), readSubject(root)]);
  const { state, problem } = await readSaved(root);
  // Of what the log does not know, nobody can say whose it is.
  const { tasks, ...known } = recorded ?? {
    ...{ blocker: null, isOwn: state === undefined },
    tasks: state && (await unlessUnreadable(() => readSavedChange(root, state)))?.tasks,
  };
  return {
    commit: id === undefined ? undefined : { id, subject: subject ?? "" },
    ...withTasks(state, tasks),
    ...known,
    problem,
    handover: await findHandover(context, root),
    now: context.clock.now(),
  };
}

async function readSaved(root: string): Promise<Pick<WorkStatus, "state" | "problem">> {
  try {
    const found = await readState(root);
    if (found.type === "state") return { state: found.state, problem: undefined };
    const problem =
      found.type === "none" ? undefined : "session-state.json cannot be read; see `carryon load`";
    return { state: undefined, problem };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { state: undefined, problem: error.message };
  }
}

/** Tasks may have been checked since the work was saved. */
function withTasks(
  state: WorkState | undefined,
  tasks: Tasks | undefined,
): Pick<WorkStatus, "state" | "next"> {
  if (state === undefined) return { state, next: undefined };
  if (tasks === undefined) return { state, next: state.nextSteps[0] ?? state.pending[0] };
  const { completed, pending } = tasks;
  return { state: { ...state, completed, pending }, next: chooseNext(state, tasks) };
}

/** What keeps tasks from being read, `carryon load` says. */
async function unlessUnreadable<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function findHandover(
  { env, userHome }: CommandContext,
  root: string,
): Promise<WorkStatus["handover"]> {
  try {
    const { session } = locateHandover(await chooseHandoverPlace({ home: locateHome(env, userHome), root }));
    const stats = await unlessGone(lstat(session));
    return stats === undefined ? undefined : { path: relative(root, session), at: stats.mtime };
  } catch (error) {
    // What is wrong with the configuration, the commands say that need it.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Renders where the work stands, a line for each fact. */
export function renderWorkStatus(status: WorkStatus, context: CommandContext): readonly string[] {
  const { commit, state, isOwn, next, blocker, problem, handover, now } = status;
  const fact = (name: string, text: string) => renderFact(context, name, text);
  return [
    ...(commit === undefined
      ? []
      : [fact("Commit", toPrintableLine(`${commit.id.slice(0, 12)} ${commit.subject}`))]),
    ...(problem === undefined
      ? []
      : [renderFact(context, "Work", toPrintableLine(problem), context.style.red)]),
    ...(state === undefined
      ? []
      : [
          ...(isOwn ? [] : [renderForeign(context)]),
          fact("Work", `${toPrintableLine(state.workingOn)}, saved ${describeAge(state.savedAt, now)}`),
          ...renderRefused(context, state),
          renderProgress(context, state),
          ...(next === undefined ? [] : [fact("Next", toPrintableLine(next))]),
        ]),
    ...(state === undefined && blocker === null ? [] : [renderBlocker(context, blocker)]),
    ...(handover === undefined
      ? []
      : [fact("Handover", `${toPrintableLine(handover.path)}, ${describeAge(handover.at, now)}`)]),
  ];
}

/** Returns where the work stands in its JSON form. */
export function toWorkStatusJson({ commit, state, isOwn, blocker, next, handover }: WorkStatus): JsonObject {
  return {
    commit: commit?.id ?? null,
    work: state === undefined ? null : (toWireState(state) as JsonObject),
    origin: state === undefined ? null : isOwn ? "own" : "outside",
    blocker: blocker && (toWireBlocker(blocker) as JsonObject),
    next_task: next ?? null,
    handover: handover === undefined ? null : { path: handover.path, at: handover.at.toISOString() },
  };
}
