import { change } from "./change-blocker.ts";
import { type Loaded, type LoadedWork, loadWork } from "./load.ts";
import { type BlockerKeeper, type Recovery, recover } from "./recover.ts";
import { type Returned, returnToBranch, stayOnBranch } from "./return-to-branch.ts";
import { findStandingBlocker } from "./standing-work.ts";
import { readState } from "./state-store.ts";
import { repositoryOf, type WorkDesk } from "./work-desk.ts";
import { isOwnState, WorkRecord } from "./work-record.ts";
import type { WorkState } from "./work-state.ts";

/** How work is resumed. */
export interface ResumeRequest {
  readonly isUnderAgent: boolean;
  /** Ends a recovery that runs. */
  readonly signal?: AbortSignal;
}

/** What was done to go on where the work was saved. */
export interface ResumedWork {
  readonly recovery: Recovery;
  /** Undefined outside git, and where the work was saved on no branch and nothing has moved. */
  readonly returned: Returned | undefined;
  /** How things are now. */
  readonly loaded: LoadedWork;
}

/** Goes back to where the work was saved, without a question: the blocker first, then git. */
export async function resumeWork(
  desk: WorkDesk,
  request: ResumeRequest,
): Promise<ResumedWork | Exclude<Loaded, LoadedWork>> {
  const before = await loadWork(desk);
  if (before.type !== "loaded") return before;
  const recovery = await recoverWork(desk, request);
  const returned = await goBack(desk, before);
  if (recovery.type === "no-blocker" && !hasMoved(returned)) return { recovery, returned, loaded: before };
  const loaded = await loadWork(desk);
  // Whoever took the state away meanwhile is told what there was.
  return { recovery, returned, loaded: loaded.type === "loaded" ? loaded : before };
}

function hasMoved(returned: Returned | undefined): boolean {
  return returned?.type === "switched" || (returned?.type === "there" && returned.forwarded > 0);
}

/** Tries once to clear the blocker. */
export async function recoverWork(
  desk: WorkDesk,
  { isUnderAgent, signal }: ResumeRequest,
): Promise<Recovery> {
  const { site, home, env } = desk;
  const before = await readState(site.root);
  if (before.type === "state") {
    const { blocker } = before.state;
    const isOwn = await isOwnState(desk, before.state);
    if (blocker !== null && !isOwn) return { type: "not-allowed", blocker, hint: foreignHint };
    if (isOwn) await takeStanding(desk, before.state);
  }
  const recovery = await recover({
    ...{ keeper: keeperOf(desk), home, project: site.project, root: site.root, env, isUnderAgent },
    ...(signal !== undefined && { signal }),
  });
  if (recovery.type === "ran" && recovery.blockerIs === "cleared")
    await new WorkRecord(site).keepResolution(recovery.blocker, "recovered");
  return recovery;
}

/** What has failed since the work was saved stops it as if it had been saved. */
async function takeStanding(desk: WorkDesk, saved: WorkState): Promise<void> {
  if (saved.blocker !== null) return;
  const standing = await findStandingBlocker(desk, saved);
  if (standing !== null) await keeperOf(desk).changeBlocker((known) => known ?? standing);
}

/** What the state of somebody else calls for may be anything, though you have approved a command for it. */
const foreignHint =
  "this state was not written by you here, and starts nothing; `carryon save` writes your own";

/** The blocker is kept in the log and in session-state.json. */
function keeperOf(desk: WorkDesk): BlockerKeeper {
  const { site } = desk;
  return {
    changeBlocker: async (edit) => {
      if ((await readState(site.root)).type !== "state") return null;
      const editState = async (state: WorkState): Promise<WorkState> => {
        const { recoveryCommand } = await new WorkRecord(site).notes();
        const { blocker: saved } = state;
        const known = saved && recoveryCommand !== undefined ? { ...saved, recoveryCommand } : saved;
        const blocker = edit(known);
        return blocker === known ? state : { ...state, blocker };
      };
      // The file is the user's: by which command it was tried is noted in the log alone.
      const noteOf = ({ blocker }: WorkState) => ({ recoveryCommand: blocker?.recoveryCommand });
      return (await change(desk, editState, noteOf)).blocker;
    },
  };
}

/** Goes back to the branch of the state, if nothing stands in the way. */
export async function goBack(
  desk: WorkDesk,
  { state, validation }: Pick<LoadedWork, "state" | "validation">,
): Promise<Returned | undefined> {
  const repository = await repositoryOf(desk);
  if (repository === undefined) return undefined;
  if (state.branch === null) {
    const hasMoved = validation.some(({ code }) => code === "BRANCH_MISMATCH" || code === "COMMIT_MISMATCH");
    return hasMoved ? stayOnBranch(state.commit) : undefined;
  }
  const isClean = !validation.some(({ code }) => code === "UNCOMMITTED_CHANGES");
  return returnToBranch(repository, { branch: state.branch, commit: state.commit, isClean });
}
