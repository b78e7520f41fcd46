import { isCommitName, shortOf } from "../../git/find-commit.ts";
import { findLostBranch, isBranch, type SavedPlace } from "../../git/find-lost-branch.ts";
import type { GitRun } from "../../git/git-run.ts";
import { readWorkTreeStatus, type WorkTreeStatus } from "../../git/git-status.ts";
import { AppError } from "../../lib/app-error.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { type Blocker, describeUrgency } from "../blocker.ts";
import { type InspectedChange, inspectChange, isChangeId, listActive } from "../tasks/list-changes.ts";
import type { SavedFile, WorkState } from "../work-state.ts";
import {
  checkChanges,
  type IgnoredFiles,
  isIgnored,
  type KnownChanges,
  nameFew,
  pathsOf,
  readSaved,
} from "./check-changes.ts";
import { checkCommit } from "./check-commit.ts";
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

/** Tells of what stopped the work when it was saved. */
function checkBlocker(blocker: Blocker | null): readonly Validation[] {
  if (blocker === null) return [];
  const { type, severity, description, resolution } = blocker;
  const advice = resolution === undefined ? "" : `${resolution.replace(/[.\s]*$/, "")}. `;
  return [
    {
      code: "BLOCKER_EXISTS",
      message: `The work is blocked (${type}, ${severity}): ${description.replace(/[.\s]*$/, "")}.`,
      action: `${advice}${describeUrgency(blocker)}, then say \`carryon blocker resolve\`.`,
    },
  ];
}

/** Tells whether the saved change of OpenSpec is there, and says why it is made. */
async function checkOpenspec(root: string, id: string | null): Promise<readonly Validation[]> {
  if (id === null) return [];
  try {
    const change = await inspectChange(root, id);
    return change === undefined ? [notFound(id, await listActive(root))] : checkProposal(id, change);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ ...notFound(id, []), message: `The change ${describe(id)} cannot be read. ${error.message}` }];
  }
}

function checkProposal(id: string, { isArchived, hasProposal }: InspectedChange): readonly Validation[] {
  if (isArchived || hasProposal) return [];
  const message = `The change ${id} has no proposal.md, so that nothing says why it is made.`;
  return [
    { code: "PROPOSAL_MISSING", message, action: "Write it, or get it back from git, before you go on." },
  ];
}

function notFound(id: string, active: readonly string[]): Validation {
  const others = active.length === 0 ? "" : ` There is ${nameFew(active)}.`;
  return {
    code: "OPENSPEC_NOT_FOUND",
    message: `The change ${describe(id)} is not in openspec/changes, nor archived there.${others}`,
    action: "Name another with `carryon save --openspec ID`, or begin a new task.",
  };
}

function describe(id: string): string {
  return isChangeId(id) ? id : "that was saved";
}

/** How a saved file is now. */
type Fate = "same" | "missing" | "changed";

/** Tells which of the files that were saved are gone, and which say something else. */
async function checkFiles(
  root: string,
  files: readonly SavedFile[],
  ignored: IgnoredFiles,
): Promise<readonly Validation[]> {
  const fates: Readonly<Record<Fate, string[]>> = { same: [], missing: [], changed: [] };
  for (const file of files) {
    if (!pathsOf(file.path).some((path) => isIgnored(path, ignored)))
      fates[await readFate(root, file)].push(file.path);
  }
  return [
    ...tellFiles("FILE_MISSING", fates.missing, {
      one: "A file that was saved is missing",
      many: "files that were saved are missing",
      action: "Look with `git log --stat` where it went, before you go on.",
    }),
    ...tellFiles("FILE_CHANGED", fates.changed, {
      one: "A file has changed since it was saved",
      many: "files have changed since they were saved",
      action: "Read it again, for it is not as it was when the work was saved.",
    }),
  ];
}

/** Without a hash it was gone, or too large to be read. */
async function readFate(root: string, { path, sha256 }: SavedFile): Promise<Fate> {
  const content = await readSaved(root, path);
  if (content.sha256 === sha256) return "same";
  return content.type === "gone" ? "missing" : "changed";
}

function tellFiles(
  code: Validation["code"],
  paths: readonly string[],
  { one, many, action }: Readonly<Record<"one" | "many" | "action", string>>,
): readonly Validation[] {
  if (paths.length === 0) return [];
  const what = paths.length === 1 ? one : `${paths.length} ${many}`;
  return [{ code, message: `${what}: ${nameFew(paths)}.`, action }];
}

const stay = "or go on here and save again";

/** Where HEAD is, and what git is in the middle of. */
type Here = Pick<WorkTreeStatus, "branch" | "head"> & Pick<KnownChanges, "operation" | "rebased">;

/** Tells whether the branch is another one than was saved. One that is being rebased is where the work goes on. */
async function checkBranch(
  run: GitRun,
  saved: Pick<WorkState, "branch" | "commit">,
  here: Here,
): Promise<readonly Validation[]> {
  const { branch, commit } = saved;
  // Without a branch and a commit, it was saved outside git.
  if (branch === here.branch || (branch === null && commit === null)) return [];
  if (here.branch === null && branch === here.rebased) return [];
  const message = `${describeHere(here)}, but the work was saved ${describeThen(branch)}.`;
  return [{ code: "BRANCH_MISMATCH", message, action: await advise(run, saved, here) }];
}

/** Tells whether the work was saved in a repository that is none any more. */
function checkWithoutGit({ branch, commit }: Pick<WorkState, "branch" | "commit">): readonly Validation[] {
  if (branch === null && commit === null) return [];
  const message = `This is no repository, but the work was saved ${describeThen(branch)}.`;
  const action = "Look where its .git folder went, or go on here and save again.";
  return [{ code: "BRANCH_MISMATCH", message, action }];
}

function describeThen(branch: string | null): string {
  return branch === null ? "on a detached HEAD" : `on ${branch}`;
}

function describeHere({ branch, head, rebased }: Here): string {
  if (branch !== null) return `This is the branch ${branch}`;
  return typeof rebased === "string"
    ? `The branch ${rebased} is being rebased`
    : `HEAD is detached at ${shortOf(head)}`;
}

async function advise(
  run: GitRun,
  { branch, commit }: Pick<WorkState, "branch" | "commit">,
  { operation }: Here,
): Promise<string> {
  if (operation !== undefined) return `Finish or abort the ${operation} first, and load again.`;
  return branch === null ? adviseDetaching(commit) : adviseSwitching(run, { branch, commit });
}

function adviseDetaching(commit: string | null): string {
  return commit !== null && isCommitName(commit)
    ? `Go back with \`git switch --detach ${commit}\`, ${stay}.`
    : "Go on here and save again.";
}

/** The name stands in a file of the repository: only that of a branch that is there, or can be, becomes part of a command. */
async function adviseSwitching(run: GitRun, saved: SavedPlace): Promise<string> {
  const { branch } = saved;
  if (await isBranch(run, branch))
    return `Switch to it with \`git switch ${renderShellWord(branch)}\`, ${stay}.`;
  const command = await findLostBranch(run, saved);
  if (command === undefined) return `There is no such branch here: fetch it, ${stay}.`;
  return `There is no such branch here, but its saved commit is: bring it back with \`${command}\`, ${stay}.`;
}
