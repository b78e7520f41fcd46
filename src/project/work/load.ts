import type { FieldProblem } from "../../work/state/parse-work-state.ts";
import { readState } from "../../work/state/state-store.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import { validateState } from "../../work/validate/validate-state.ts";
import type { Validation } from "../../work/validate/validation.ts";
import { type FoundTasks, findTasks } from "./find-tasks.ts";
import { repositoryOf, type WorkDesk } from "./work-desk.ts";
import { WorkRecord } from "./work-record.ts";

/** What was saved, held against how things are now. */
export interface LoadedWork {
  readonly type: "loaded";
  readonly state: WorkState;
  readonly validation: readonly Validation[];
  /** The tasks as they are now. */
  readonly tasks: FoundTasks;
  /** What comes next. */
  readonly next: string | undefined;
}

/** What there is to load: a state, or nothing that can be read as one, and then maybe a checkpoint of before. */
export type Loaded =
  | LoadedWork
  | { readonly type: "none"; readonly checkpoint: WorkState | undefined }
  | {
      readonly type: "broken";
      readonly problems: readonly FieldProblem[];
      readonly checkpoint: WorkState | undefined;
    };

/** Reads the state of the work, and says what has changed since. Changes nothing. */
export async function loadWork(desk: WorkDesk): Promise<Loaded> {
  const found = await readState(desk.site.root);
  if (found.type !== "state") {
    const checkpoint = await new WorkRecord(desk.site).newest();
    return found.type === "none" ? { type: "none", checkpoint } : { ...found, checkpoint };
  }
  return compareWork(desk, found.state);
}

/** Holds a state against how things are now. */
async function compareWork(desk: WorkDesk, state: WorkState): Promise<LoadedWork> {
  const repository = await repositoryOf(desk);
  const place = { root: desk.site.root, run: repository?.run };
  const validation = await validateState(place, state, {
    folders: [`${desk.sddDir}/handover`],
    leftOut: state.modifiedFiles.filter(({ leftOut }) => leftOut !== undefined),
  });
  const tasks = await findTasks(desk, {}, state);
  const next = tasks.tasks.next ?? state.nextSteps[0] ?? state.pending[0];
  return { type: "loaded", state, validation, tasks, next };
}
