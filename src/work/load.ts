import { type GitOperation, readOperation, readRebased } from "../git/repository.ts";
import type { FieldProblem } from "../lib/field-readers.ts";
import { FileError } from "../lib/file-error.ts";
import type { Blocker } from "./blocker.ts";
import { chooseNext, chooseStep, type FoundTasks, findSavedTasks } from "./find-tasks.ts";
import { findStandingBlocker } from "./standing-work.ts";
import { type FoundState, isNewer, readState } from "./state-store.ts";
import { validateState } from "./validate/validate-state.ts";
import type { Validation } from "./validate/validation.ts";
import { repositoryOf, type WorkDesk } from "./work-desk.ts";
import { readWorkInHand } from "./work-in-hand.ts";
import { type CheckpointElsewhere, isOwnState, WorkRecord } from "./work-record.ts";
import type { WorkState } from "./work-state.ts";

/** What was saved, held against how things are now. */
export interface LoadedWork {
  readonly type: "loaded";
  readonly state: WorkState;
  /** What does not add up in the file. */
  readonly warnings: readonly FieldProblem[];
  /** What stops the work now: what was saved, unless what was recorded since says otherwise. */
  readonly blocker: Blocker | null;
  readonly validation: readonly Validation[];
  /** What git is in the middle of, if anything. */
  readonly operation: GitOperation | undefined;
  /** The tasks as they are now. */
  readonly tasks: FoundTasks;
  /** What comes next. */
  readonly next: string | undefined;
  /** What to go on with: what comes next, or the work in hand where there are no tasks. */
  readonly step: string | undefined;
  /** What the recorded sessions call for, in a sentence; undefined where the state says what comes next. */
  readonly recordedNext: string | undefined;
  /** Whether it was written by this user here; what somebody else wrote is no instruction. */
  readonly isOwn: boolean;
  /** What was saved on another machine since. */
  readonly later: CheckpointElsewhere | undefined;
}

/** What there is to load: a state, or nothing that can be read as one, and then maybe a checkpoint of before. */
export type Loaded =
  | LoadedWork
  | { readonly type: "none"; readonly checkpoint: WorkState | undefined; readonly machine?: string }
  | {
      readonly type: "broken";
      readonly problems: readonly FieldProblem[];
      readonly checkpoint: WorkState | undefined;
      /** The other machine that the checkpoint was made on. */
      readonly machine?: string;
      /** What has to be done before the checkpoint can take its place. */
      readonly hint?: string;
    };

/** Reads the state of the work, and says what has changed since. Changes nothing. */
export async function loadWork(desk: WorkDesk): Promise<Loaded> {
  const found = await readAny(desk.site.root);
  if (found.type === "state") return { ...(await compareWork(desk, found.state)), warnings: found.warnings };
  const record = new WorkRecord(desk.site);
  const checkpoint = await record.newest();
  if (checkpoint !== undefined) return { ...found, checkpoint };
  const elsewhere = await record.newestElsewhere();
  return { ...found, checkpoint: elsewhere?.state, ...(elsewhere && { machine: elsewhere.machine }) };
}

type Unloaded = Exclude<FoundState, { readonly type: "state" }> & { readonly hint?: string };

/** Something else in the place of the file is a broken state too. */
async function readAny(root: string): Promise<Extract<FoundState, { type: "state" }> | Unloaded> {
  try {
    const found = await readState(root);
    if (found.type !== "broken" || !isNewer(found.problems)) return found;
    return { ...found, hint: "Update Carryon, or move the file away." };
  } catch (error) {
    if (!(error instanceof FileError) || !["not-a-file", "symlink-refused"].includes(error.code)) throw error;
    const problem =
      error.code === "not-a-file" ? "is not a regular file" : "is a symbolic link, or behind one";
    return { type: "broken", problems: [{ field: "", problem }], hint: error.hint ?? "" };
  }
}

/** Holds a state against how things are now. */
async function compareWork(desk: WorkDesk, state: WorkState): Promise<Omit<LoadedWork, "warnings">> {
  const repository = await repositoryOf(desk);
  const place = { root: desk.site.root, run: repository?.run };
  const operation = repository && (await readOperation(repository.gitFolder));
  const isOwn = await isOwnState(desk, state);
  const blocker = isOwn ? await findStandingBlocker(desk, state) : state.blocker;
  const standing = { ...state, blocker };
  const validation = await validateState(place, standing, {
    folders: [`${desk.sddDir}/handover`],
    operation,
    rebased: repository && (await readRebased(repository.gitFolder)),
    leftOut: state.modifiedFiles.filter(({ leftOut }) => leftOut !== undefined),
  });
  const tasks = await findSavedTasks(desk, state);
  const next = chooseNext(state, tasks.tasks);
  const inHand = await readWorkInHand(desk.site.root, state);
  const step = chooseStep({ next, inHand }, tasks.tasks);
  const recordedNext = step === undefined ? await desk.recordedNext?.() : undefined;
  const later = await findLater(desk, state);
  const found = { next, step, recordedNext, later };
  return { type: "loaded", state, blocker, validation, operation, tasks, isOwn, ...found };
}

async function findLater({ site }: WorkDesk, state: WorkState): Promise<CheckpointElsewhere | undefined> {
  const elsewhere = await new WorkRecord(site).newestElsewhere();
  return elsewhere !== undefined && elsewhere.state.savedAt > state.savedAt ? elsewhere : undefined;
}
