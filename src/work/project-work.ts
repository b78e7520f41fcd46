import type { PushTarget } from "../git/push.ts";
import { beginTask } from "./begin-task.ts";
import type { Blocker } from "./blocker.ts";
import { addBlocker, type NewBlocker, readBlocker, resolveBlocker } from "./change-blocker.ts";
import { type Loaded, type LoadedWork, loadWork } from "./load.ts";
import { previewSave, type SavePreview } from "./preview-save.ts";
import { listCheckpoints, restoreCheckpoint, takeCheckpoint } from "./restore-checkpoint.ts";
import { type ResumedWork, type ResumeRequest, resumeWork } from "./resume.ts";
import { type SaveReport, type SaveRequest, saveWork } from "./save.ts";
import { SaveUnfinished } from "./save-unfinished.ts";
import type { ChangedState } from "./state-store.ts";
import { openWorkDesk, type WorkDesk } from "./work-desk.ts";
import type { Checkpoint } from "./work-record.ts";
import { locateState, type SaveMode, type WorkState } from "./work-state.ts";

/** How a program wants the work to be saved: a checkpoint with a commit, unless told. */
export interface WorkRequest extends Omit<SaveRequest, "mode" | "commit" | "mayPushToDefault"> {
  readonly mode?: SaveMode;
  /** Whether the work tree is committed; it is, unless told. */
  readonly commit?: boolean;
  /** Is asked before anything goes to the branch that everybody works from; nothing does, unless told. */
  readonly mayPushToDefault?: (target: PushTarget) => Promise<boolean>;
}

const checkpoint = { mode: "quick", commit: true } as const;

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

  /**
   * Saves where the work stands. When it returns, the state is on disk, in its file and in the log.
   *
   * The report says what became of the commit, which a hook may have refused, and of the push. Where the push or the
   * verification broke off, also because it was aborted, it throws a `SaveUnfinished` with the report.
   */
  async save(request: WorkRequest = {}): Promise<SaveReport> {
    const usual = { ...checkpoint, mayPushToDefault: async () => false };
    const report = await saveWork(this.#desk, { ...usual, ...request });
    if (report.failure !== undefined) throw new SaveUnfinished(report);
    return report;
  }

  /** Finds out what a save would commit, leave out and push. Changes nothing, and asks no remote. */
  preview(request: Pick<WorkRequest, "mode" | "commit"> = {}): Promise<SavePreview> {
    const { git, site, env } = this.#desk;
    return previewSave({ git, root: site.root }, { env }, { ...checkpoint, ...request });
  }

  /** Reads what was saved, and says what has changed since. Changes nothing. */
  load(): Promise<Loaded> {
    return loadWork(this.#desk);
  }

  /** Goes back to where the work was saved, without a question: the blocker first, then git. */
  resume(request: ResumeRequest): Promise<ResumedWork | Exclude<Loaded, LoadedWork>> {
    return resumeWork(this.#desk, request);
  }

  /** Returns the checkpoints that the log has kept of late, the newest first. */
  checkpoints(): Promise<readonly Checkpoint[]> {
    return listCheckpoints(this.#desk);
  }

  /**
   * Puts a checkpoint in the place of the state: one by its id, else the newest where the state is gone or broken.
   *
   * What is there is in the log too, or is kept aside.
   */
  restore(id?: string): Promise<ChangedState> {
    return id === undefined ? restoreCheckpoint(this.#desk) : takeCheckpoint(this.#desk, id);
  }

  /** Begins with another task. What was saved before stays in the log. */
  begin(task: string): Promise<WorkState> {
    return beginTask(this.#desk, task);
  }

  /** Returns what stops the work, as it was saved; null where nothing does. */
  blocker(): Promise<Blocker | null> {
    return readBlocker(this.#desk);
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
export async function openProjectWork(here: Parameters<typeof openWorkDesk>[0]): Promise<ProjectWork> {
  return new ProjectWork(await openWorkDesk(here));
}
