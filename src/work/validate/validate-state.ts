import { readWorkTreeStatus } from "../../git/git-status.ts";
import type { GitRun } from "../../git/run-git.ts";
import type { WorkState } from "../work-state.ts";
import { checkBlocker } from "./check-blocker.ts";
import { checkBranch, checkWithoutGit } from "./check-branch.ts";
import { checkChanges, type KnownChanges } from "./check-changes.ts";
import { checkCommit } from "./check-commit.ts";
import { checkFiles } from "./check-files.ts";
import { checkOpenspec } from "./check-openspec.ts";
import type { Validation } from "./validation.ts";

/** Where a state is compared with reality. */
export interface ValidationPlace {
  /** The top of the project. */
  readonly root: string;
  /** How git is run there; undefined outside a repository, where nothing is asked of git. */
  readonly run: GitRun | undefined;
}

/**
 * Compares a saved state with reality, and returns all that differs; `ALL_VALID` stands alone.
 *
 * Reads only. The state is data: nothing in it becomes an option of git, another revision, or a path out of the project.
 */
export async function validateState(
  { root, run }: ValidationPlace,
  state: WorkState,
  known: KnownChanges,
): Promise<readonly Validation[]> {
  const found = [
    ...(run === undefined ? checkWithoutGit(state) : await checkGit(root, run, state, known)),
    ...(await checkOpenspec(root, state.change)),
    ...(await checkFiles(root, state.modifiedFiles, known)),
    ...checkBlocker(state.blocker),
  ];
  if (found.length > 0) return found;
  return [run === undefined ? { ...allValid, message: nothingDiffers } : allValid];
}

const allValid: Validation = {
  code: "ALL_VALID",
  message: "Everything is as it was when the work was saved.",
  action: "Go on with the next task.",
};

/** Nobody keeps what the files outside a repository were like. */
const nothingDiffers = "Nothing is known to have changed. Outside git, files are not compared.";

async function checkGit(
  root: string,
  run: GitRun,
  state: WorkState,
  known: KnownChanges,
): Promise<readonly Validation[]> {
  const status = await readWorkTreeStatus(run);
  return [
    ...(await checkBranch(run, state, { ...status, ...known })),
    ...(await checkCommit(run, state, status)),
    ...(await checkChanges({ root, run }, status.changes, known)),
  ];
}
