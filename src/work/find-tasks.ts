import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type AppError, usageError } from "../lib/app-error.ts";
import { resolveInside } from "../lib/resolve-inside.ts";
import type { Session } from "../sessions/session.ts";
import { findTodos } from "./tasks/find-todos.ts";
import { inspectChange, isChangeId, listActive, refuseChangeId } from "./tasks/list-changes.ts";
import { type Tasks, toTasks } from "./tasks.ts";
import type { WorkDesk } from "./work-desk.ts";
import { WorkRecord } from "./work-record.ts";
import { progressOf, type TaskLists, type WorkState } from "./work-state.ts";

/** A change of OpenSpec: what is to be done, and whether anybody has said why. */
export interface Change {
  readonly id: string;
  readonly isArchived: boolean;
  readonly hasProposal: boolean;
  /** Undefined where there is no tasks.md. */
  readonly tasks: Tasks | undefined;
}

/** Reads a change; undefined if there is none. Throws when its tasks are there and cannot be read. */
export async function readChange(root: string, id: string): Promise<Change | undefined> {
  const found = await inspectChange(root, id);
  if (found === undefined) return undefined;
  const { path, isArchived, hasProposal } = found;
  return { id, isArchived, hasProposal, tasks: await readTasks(root, join(path, "tasks.md")) };
}

/** Reads the change that a state names, be it archived, and no other; undefined if it names none that is there. */
export async function readSavedChange(
  root: string,
  { change }: Pick<WorkState, "change">,
): Promise<Change | undefined> {
  return change === null || !isChangeId(change) ? undefined : readChange(root, change);
}

async function readTasks(root: string, path: string): Promise<Tasks | undefined> {
  const file = await resolveInside(root, path);
  if (file === undefined) return undefined;
  // Loaded here, so that only who has such a file pays for what reads Markdown.
  const { readDocument } = await import("../lib/markdown/read-document.ts");
  const text = await readDocument(await realpath(root), file);
  return text === undefined ? undefined : toTasks((await import("./tasks/parse-tasks.ts")).parseTasks(text));
}

/** What somebody says of the tasks. */
export interface TaskRequest {
  /** The id of a change of OpenSpec. */
  readonly change?: string | undefined;
  readonly done?: readonly string[] | undefined;
  readonly todo?: readonly string[] | undefined;
}

/** The tasks of the work, and where they come from. */
export interface FoundTasks {
  readonly source: "openspec" | "client" | "flags" | "state" | "none";
  readonly tasks: Tasks;
  readonly change: Change | undefined;
  /** What is to be known of the choice, for people. */
  readonly remarks: readonly string[];
}

/** What was saved last. */
export interface TasksBefore extends TaskLists {
  readonly change: string | null;
}

const none: Tasks = { completed: [], pending: [], next: undefined, skipped: [] };

/**
 * Finds the tasks: those of a change of OpenSpec, else the list that a client kept, else what is told or was saved.
 *
 * `newest` is the newest session of the project, or null where there is none; it is looked for unless it is known.
 */
export async function findTasks(
  desk: WorkDesk,
  request: TaskRequest,
  before: TasksBefore | undefined,
  newest?: Session | null,
): Promise<FoundTasks> {
  const { root } = desk.site;
  const found = await findChange(root, { asked: request.change, saved: before?.change });
  if (found.type === "missing" && request.change !== undefined) throw await unknownChange(root, found.id);
  const remarks = describeChoice(found);
  const change = found.type === "change" ? found.change : undefined;
  if (change?.tasks !== undefined) {
    const { tasks, id } = change;
    return { source: "openspec", tasks, change, remarks: [...remarks, ...describeUnused(request, id)] };
  }
  const todos = await findNewerTodos(desk, newest);
  const told = fromFlags(request, todos ?? before);
  if (told !== undefined) return { source: "flags", tasks: told, change, remarks };
  if (todos !== undefined) return { source: "client", tasks: todos, change, remarks };
  const isKept = before !== undefined && progressOf(before).total > 0;
  const tasks = isKept ? fromLists(before) : none;
  return { source: isKept ? "state" : "none", tasks, change, remarks };
}

/** Finds the tasks of a state as they are now: those of its own change, and of no other. */
export async function findSavedTasks(desk: WorkDesk, state: TasksBefore): Promise<FoundTasks> {
  const change = await readSavedChange(desk.site.root, state);
  if (change?.tasks !== undefined) return { source: "openspec", tasks: change.tasks, change, remarks: [] };
  const todos = state.change === null ? await findNewerTodos(desk) : undefined;
  if (todos !== undefined) return { source: "client", tasks: todos, change, remarks: [] };
  return { source: "state", tasks: fromLists(state), change, remarks: [] };
}

/** Returns the list that a client kept, unless somebody has said since it was changed what the tasks are. */
async function findNewerTodos(desk: WorkDesk, newest?: Session | null): Promise<Tasks | undefined> {
  const found = await findTodos(desk, newest);
  if (found === undefined) return undefined;
  const { tasksToldAt } = await new WorkRecord(desk.site).notes();
  return tasksToldAt !== undefined && found.changedAt <= tasksToldAt ? undefined : found.tasks;
}

function describeChoice(found: Awaited<ReturnType<typeof findChange>>): readonly string[] {
  if (found.type === "several")
    return [`There are several changes in openspec: choose one with --openspec: ${found.ids.join(", ")}.`];
  if (found.type === "missing") return [`There is no change ${found.id} in openspec.`];
  return [];
}

/** Whoever asks for one by a wrong name must not save the tasks of none. */
async function unknownChange(root: string, id: string): Promise<AppError> {
  const ids = await listActive(root);
  return usageError("unknown-change", `There is no change ${id} in openspec.`, {
    hint: ids.length === 0 ? "There is none in openspec/changes." : `There are: ${ids.join(", ")}.`,
  });
}

function describeUnused({ done, todo }: TaskRequest, id: string): readonly string[] {
  if (done === undefined && todo === undefined) return [];
  return [`--done and --todo are not used: the tasks are those in tasks.md of ${id}.`];
}

/** What is told is added to what was told before: a task that is done is not to be done any more. */
function fromFlags({ done, todo }: TaskRequest, before: TaskLists | undefined): Tasks | undefined {
  if (done === undefined && todo === undefined) return undefined;
  const completed = unique([...(before?.completed ?? []), ...(done ?? [])]);
  const pending = unique([...(before?.pending ?? []), ...(todo ?? [])]);
  return fromLists({
    unlisted: before?.unlisted,
    completed: completed.filter((each) => !todo?.includes(each)),
    pending: pending.filter((each) => todo?.includes(each) || !completed.includes(each)),
  });
}

function fromLists({ completed, pending, unlisted }: TaskLists): Tasks {
  const tasks = toTasks([
    ...completed.map((text) => ({ text, state: "done" }) as const),
    ...pending.map((text) => ({ text, state: "open" }) as const),
  ]);
  return { ...tasks, unlisted };
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** The change that is worked on, or why none is. */
type FoundChange =
  | { readonly type: "change"; readonly change: Change }
  /** The one that was asked for, or saved, is not there. */
  | { readonly type: "missing"; readonly id: string }
  /** Nobody has said which of these it is. */
  | { readonly type: "several"; readonly ids: readonly string[] }
  /** The project has none. */
  | { readonly type: "none" };

interface ChangeWish {
  /** The id that somebody has asked for. */
  readonly asked?: string | undefined;
  /** The id that was saved last. */
  readonly saved?: string | null | undefined;
}

/**
 * Finds the change that is worked on: the one that was asked for, else the saved one, else the only active one.
 *
 * When the saved one is archived or gone, the work has gone on: the only active one comes before it.
 */
export async function findChange(root: string, { asked, saved }: ChangeWish): Promise<FoundChange> {
  if (asked !== undefined) {
    refuseChangeId(asked);
    return toFound(await readChange(root, asked), asked);
  }
  const active = await listActive(root);
  const [only, ...others] = active;
  const wanted = saved ?? undefined;
  if (wanted !== undefined && active.includes(wanted)) return toFound(await readChange(root, wanted), wanted);
  if (only !== undefined && others.length === 0) return toFound(await readChange(root, only), only);
  const old = wanted === undefined ? undefined : await readChange(root, wanted);
  if (old !== undefined) return { type: "change", change: old };
  if (only !== undefined) return { type: "several", ids: active };
  return wanted === undefined ? { type: "none" } : { type: "missing", id: wanted };
}

function toFound(change: Change | undefined, id: string): FoundChange {
  return change === undefined ? { type: "missing", id } : { type: "change", change };
}

/** What a state says of the tasks. */
type SavedTasks = Pick<WorkState, "nextSteps" | "completed" | "pending">;

/** How many of the tasks that are left are next steps, where nobody has named any. */
const mostSteps = 3;

/** Returns what comes next after a state. What somebody has said comes next holds until another task is done. */
export function chooseNext(state: SavedTasks, tasks: Tasks): string | undefined {
  const [said] = state.nextSteps;
  const holds = tasks.completed.length === state.completed.length && isLeft(state, tasks, said);
  if (holds) return said;
  const isOpen = (text: string | undefined) => text !== undefined && !tasks.completed.includes(text);
  return tasks.next ?? [said, state.pending[0]].find(isOpen);
}

/** Returns what to go on with: the next task, or the work in hand where there are no tasks. */
export function chooseStep(
  { next, inHand }: Readonly<Record<"next" | "inHand", string | undefined>>,
  { completed, pending }: Pick<Tasks, "completed" | "pending">,
): string | undefined {
  return next ?? (completed.length + pending.length > 0 ? undefined : inHand);
}

/** A step that is none of the tasks is left as long as nobody says otherwise. */
function isLeft({ pending }: SavedTasks, tasks: Tasks, step: string | undefined): boolean {
  if (step === undefined || tasks.completed.includes(step)) return false;
  return tasks.pending.includes(step) || tasks.next === undefined || !pending.includes(step);
}

/** Returns the next steps of a save for which nobody names any: those named before, while they hold, else the next tasks. */
export function chooseSteps(before: SavedTasks | undefined, tasks: Tasks): readonly string[] {
  const usual = stepsFrom(tasks.pending, tasks.next);
  if (before === undefined || chooseNext(before, tasks) !== before.nextSteps[0]) return usual;
  // The same tasks would have given the same steps.
  const isNamed = isSame(before.pending, tasks.pending) || !isSame(before.nextSteps, usualOf(before));
  return isNamed ? before.nextSteps.filter((step) => isLeft(before, tasks, step)) : usual;
}

function usualOf({ nextSteps, pending }: SavedTasks): readonly string[] {
  return nextSteps[0] !== undefined && pending.includes(nextSteps[0]) ? stepsFrom(pending, nextSteps[0]) : [];
}

function stepsFrom(pending: readonly string[], first: string | undefined): readonly string[] {
  const start = first === undefined ? 0 : Math.max(0, pending.indexOf(first));
  return pending.slice(start, start + mostSteps);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
