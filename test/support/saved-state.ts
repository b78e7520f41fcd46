import { describePath } from "../../src/git/git-path.ts";
import { type ValidationPlace, validateState } from "../../src/work/validate/validate-state.ts";
import type { WorkState } from "../../src/work/work-state.ts";
import { gitEnv } from "./git-repo.ts";
import { save } from "./save-repo.ts";

/** A state that says nothing of git, tasks or files. */
export const bareState: WorkState = {
  mode: "quick",
  savedAt: new Date("2026-11-16T12:00:00Z"),
  branch: null,
  commit: null,
  isPushed: false,
  change: null,
  changeStatus: null,
  workingOn: "it",
  nextSteps: [],
  blocker: null,
  completed: [],
  pending: [],
  session: null,
  modifiedFiles: [],
};

/** Saves the work of a repository, and returns the state with what was left out. */
export async function saveState(root: string) {
  const { branch, head, taken, leftOut } = await save(root);
  const toSaved = (files: typeof taken) =>
    files.map(({ path, sha256 }) => ({ path: describePath(path), sha256 }));
  const commit = head?.slice(0, 7) ?? null;
  const state = { ...bareState, branch, commit, modifiedFiles: toSaved([...taken, ...leftOut]) };
  return { state, leftOut: toSaved(leftOut) };
}

/** Where a state of a repository is validated. */
function placeOf(root: string): ValidationPlace {
  return { root, run: { cwd: root, env: gitEnv } };
}

/** Validates a state in a repository; nothing was left out unless told. */
export async function validate(
  root: string,
  state: Partial<WorkState>,
  leftOut: WorkState["modifiedFiles"] = [],
) {
  return validateState(placeOf(root), { ...bareState, ...state }, { folders: [".sdd/handover"], leftOut });
}

/** Returns only what was said. */
export async function codesOf(validations: ReturnType<typeof validate>): Promise<readonly string[]> {
  return (await validations).map(({ code }) => code);
}
