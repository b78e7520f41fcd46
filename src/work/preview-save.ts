import type { GitPath } from "../git/git-path.ts";
import type { TreeEntry } from "../git/git-status.ts";
import { type PushPlan, planPush } from "../git/push.ts";
import { readWorkTree, type WorkTreeChanges } from "../git/read-changes.ts";
import { openRepository, type Repository } from "../git/repository.ts";
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
import { findMoved } from "./save/find-moved.ts";
import type { SaveRequest } from "./save.ts";
import type { WorkAuthor } from "./work-desk.ts";

/** A file as a commit would have it. */
export interface PreviewedFile {
  readonly path: GitPath;
  readonly isDeleted: boolean;
  /** Where it was before, if it is only moved; the commit does not count that place. */
  readonly movedFrom?: GitPath;
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
  const files = await joinMoved(repository, tree, listFiles(tree, survey));
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

/** Joins the two places of a file that is moved as it is: git counts it once. */
async function joinMoved(
  repository: Repository,
  { status }: WorkTreeChanges,
  files: readonly PreviewedFile[],
): Promise<readonly PreviewedFile[]> {
  const changes = new Map(status.changes.map((change) => [change.path, change]));
  const gone = files.flatMap(({ path, isDeleted }) => {
    const head = isDeleted ? changes.get(path)?.head : undefined;
    return head === undefined ? [] : [{ path, head }];
  });
  const added = files.flatMap(({ path }) => {
    const change = changes.get(path);
    return change === undefined || change.head !== undefined ? [] : [change];
  });
  const heads = gone.map(({ head }) => head);
  const origins = pairMoved(gone, await findMoved(repository, heads, added));
  const left = new Set(origins.values());
  return files.flatMap((file) => {
    if (left.has(file.path)) return [];
    const movedFrom = origins.get(file.path);
    return [movedFrom === undefined ? file : { ...file, movedFrom }];
  });
}

/** Gives each file of a known content an origin of its own, as long as there are any. */
function pairMoved(
  gone: readonly { readonly path: GitPath; readonly head: TreeEntry }[],
  moved: ReadonlyMap<GitPath, string>,
): ReadonlyMap<GitPath, GitPath> {
  const left = [...gone];
  const pairs = new Map<GitPath, GitPath>();
  for (const [path, hash] of moved) {
    const at = left.findIndex(({ head }) => head.hash === hash);
    const [origin] = at < 0 ? [] : left.splice(at, 1);
    if (origin !== undefined) pairs.set(path, origin.path);
  }
  return pairs;
}
