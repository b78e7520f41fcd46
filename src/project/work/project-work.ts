import type { Blocker } from "../../work/blockers/blocker.ts";
import type { PushTarget } from "../../work/save/push.ts";
import { locateState } from "../../work/state/state-file.ts";
import type { SaveMode, WorkState } from "../../work/state/work-state.ts";
import { beginTask } from "./begin-task.ts";
import { addBlocker, type NewBlocker, resolveBlocker } from "./change-blocker.ts";
import { type Loaded, type LoadedWork, loadWork } from "./load.ts";
import { openWorkDesk, type WorkAuthor, type WorkProject } from "./open-work-desk.ts";
import { restoreCheckpoint } from "./restore-checkpoint.ts";
import { type ResumedWork, type ResumeRequest, resumeWork } from "./resume.ts";
import { type SaveReport, type SaveRequest, saveWork } from "./save.ts";
import type { WorkDesk } from "./work-desk.ts";

/** How a program wants the work to be saved: a checkpoint with a commit, unless told. */
export interface WorkRequest extends Omit<SaveRequest, "mode" | "commit" | "mayPushToDefault"> {
  readonly mode?: SaveMode;
  /** Whether the work tree is committed; it is, unless told. */
  readonly commit?: boolean;
  /** Is asked before anything goes to the branch that everybody works from; nothing does, unless told. */
  readonly mayPushToDefault?: (target: PushTarget) => Promise<boolean>;
}

/** Where the work in a project stands: its state, its checkpoints, and what stops it. */
export class ProjectWork {
  readonly #desk: WorkDesk;

  constructor(desk: WorkDesk) {
    this.#desk = desk;
  }

  /** Where the state is. */
  get path(): string {
    return locateState(this.#desk.site.root);
  }

  /** Saves where the work stands. When it returns, the state is on disk, in its file and in the log. */
  save(request: WorkRequest = {}): Promise<SaveReport> {
    const usual = { mode: "quick", commit: true, mayPushToDefault: async () => false } as const;
    return saveWork(this.#desk, { ...usual, ...request });
  }

  /** Reads what was saved, and says what has changed since. Changes nothing. */
  load(): Promise<Loaded> {
    return loadWork(this.#desk);
  }

  /** Goes back to where the work was saved, without a question: the blocker first, then git. */
  resume(request: ResumeRequest): Promise<ResumedWork | Exclude<Loaded, LoadedWork>> {
    return resumeWork(this.#desk, request);
  }

  /** Puts the newest checkpoint in the place of a state that is gone or broken, and returns it. */
  async restore(): Promise<WorkState> {
    return (await restoreCheckpoint(this.#desk)).state;
  }

  /** Begins with another task. What was saved before stays in the log. */
  begin(task: string): Promise<WorkState> {
    return beginTask(this.#desk, task);
  }

  /** Puts a blocker down, instead of the one before. */
  addBlocker(blocker: NewBlocker): Promise<Blocker> {
    return addBlocker(this.#desk, blocker);
  }

  /** Says that what stopped the work is resolved; returns what it was, or null where nothing did. */
  resolveBlocker(how?: string): Promise<Blocker | null> {
    return resolveBlocker(this.#desk, how);
  }
}

/** Opens the work of a project. */
export async function openProjectWork(project: WorkProject, author: WorkAuthor): Promise<ProjectWork> {
  return new ProjectWork(await openWorkDesk(project, author));
}
