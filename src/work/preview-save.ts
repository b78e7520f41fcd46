import type { GitPath } from "../git/git-path.ts";
import { type PushPlan, planPush } from "../git/push.ts";
import { readWorkTree, type WorkTreeChanges } from "../git/read-changes.ts";
import { openRepository } from "../git/repository.ts";
import { readNote } from "../git/unfinished-save.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  type FoundWork,
  type Hindrance,
  refuseGitFolder,
  type Survey,
  surveyWork,
  toPush,
} from "./commit-work.ts";
import type { SaveRequest } from "./save.ts";
import type { WorkAuthor } from "./work-desk.ts";

/** A file as a commit would have it. */
export interface PreviewedFile {
  readonly path: GitPath;
  readonly isDeleted: boolean;
}

/** What a save would do in git. */
export interface SavePreview {
  readonly outcome:
    | { readonly type: "would-commit" | "unchanged" | "not-wanted" | "no-repository" }
    | Hindrance;
  /** Undefined outside git. */
  readonly found: FoundWork | undefined;
  /** What a commit would take, in the order in which git names it. */
  readonly files: readonly PreviewedFile[];
  /** Undefined where nobody asks for a push. */
  readonly push: PushPlan | undefined;
}

/**
 * Finds out what a save would commit, leave out and push. Changes nothing, opens no store and asks no remote.
 *
 * Hooks may still refuse, and a filter of git may find that a file has not changed after all.
 */
export async function previewSave(
  { git, root }: Pick<Workspace, "git" | "root">,
  { env }: Pick<WorkAuthor, "env">,
  { mode, commit }: Pick<SaveRequest, "mode" | "commit">,
): Promise<SavePreview> {
  await refuseGitFolder({ git, root });
  if (git === undefined) {
    const nothing = { type: "no-repository" } as const;
    return { outcome: nothing, found: undefined, files: [], push: mode === "quick" ? undefined : nothing };
  }
  const repository = await openRepository(root, env, { mayAsk: false });
  const tree = await readWorkTree(repository, await readNote(repository));
  const survey = await surveyWork(repository, tree);
  const { found, hindrance } = survey;
  const files = listFiles(tree, survey);
  const type = commit ? (files.length > 0 ? "would-commit" : "unchanged") : "not-wanted";
  const outcome = hindrance ?? ({ type } as const);
  // The first commit would be there by then.
  const head = outcome.type === "would-commit" ? (found.head ?? "") : found.head;
  const push = mode === "quick" ? undefined : await planPush(repository, toPush({ ...found, head }, outcome));
  return { outcome, found, files, push };
}

/** What was taken out of the index is committed as deleted, though the work tree has it. */
function listFiles({ status }: WorkTreeChanges, { found, removed }: Survey): readonly PreviewedFile[] {
  const [taken, out] = [found.taken, removed].map((files) => new Set(files.map(({ path }) => path)));
  return status.changes.flatMap(({ path, isGone }) =>
    taken?.has(path) || out?.has(path) ? [{ path, isDeleted: isGone || out?.has(path) === true }] : [],
  );
}
