import type { Objected } from "../git/commit-files.ts";
import type { GitPath } from "../git/git-path.ts";
import { type HeldWorkTree, holdWorkTree } from "../git/hold-work-tree.ts";
import type { CommittedFiles } from "../git/made-commit.ts";
import type { Repository } from "../git/repository.ts";
import type { Choice } from "./save/choose-files.ts";
import { type AddedFile, findAdded } from "./save/find-added.ts";
import { type FoundWork, type Hindrance, surveyWork } from "./survey-work.ts";

/** What became of the work tree in git. */
export type CommitOutcome =
  | ({ readonly type: "committed"; readonly commit: string } & Added & CommittedFiles)
  | { readonly type: "unchanged" }
  /** Nobody wanted a commit. */
  | { readonly type: "not-wanted" }
  | Hindrance
  /** A hook of the user's said no. */
  | ({ readonly type: "refused" } & Objected)
  | ({ readonly type: "failed" } & Objected);

interface Added {
  /** What was to be left out, and is in the commit all the same: a hook has added it. */
  readonly added?: readonly GitPath[];
}

/** What a save found, and did, in git. */
export interface SavedWork extends FoundWork {
  readonly outcome: CommitOutcome;
  /** Where the content is kept that had only been staged, if there was any. */
  readonly staged?: string;
  /** The subject of the commit before, where the message was made of it. */
  readonly lastSubject?: string | undefined;
}

/** The message of a commit, or what makes it of the subject of the commit before; undefined where none is wanted. */
export type CommitMessage = string | undefined | ((lastSubject: string | undefined) => string | undefined);

/** Commits the work tree as it is, but for what does not belong into a commit. */
export async function commitWork(repository: Repository, message: CommitMessage): Promise<SavedWork> {
  if (typeof message !== "function")
    return holdWorkTree(repository, {}, (tree) => commitTree(repository, tree, () => message));
  return holdWorkTree(repository, { lastSubject: true }, async (tree) => ({
    ...(await commitTree(repository, tree, () => message(tree.lastSubject))),
    lastSubject: tree.lastSubject,
  }));
}

async function commitTree(
  repository: Repository,
  tree: HeldWorkTree,
  sayMessage: () => string | undefined,
): Promise<SavedWork> {
  const { found, removed, hindrance } = await surveyWork(repository, tree);
  if (hindrance !== undefined) return { ...found, outcome: hindrance };
  const message = sayMessage();
  if (message === undefined) return { ...found, outcome: { type: "not-wanted" } };
  const { indexLock: _, ...rest } = found;
  const taken = found.taken.map(({ path }) => path);
  if (taken.length === 0 && removed.length === 0) return { ...found, outcome: { type: "unchanged" } };
  const { paths, ...made } = await tree.commit({
    message,
    taken,
    removed: removed.map(({ path }) => path),
    leftOut: [...found.leftOut, ...tree.own].map(({ path }) => path),
  });
  if (made.outcome.type !== "committed") return { ...rest, ...made };
  const head = made.outcome.commit;
  const chosen = new Set(taken);
  const beyond = new Set([...paths].filter((path) => !chosen.has(path)));
  const saved = { ...rest, ...made, head };
  if (beyond.size === 0) return saved;
  const added = await findAdded(repository, head, beyond, found.leftOut);
  if (added.length === 0) return saved;
  const outcome = { ...made.outcome, added: added.map(({ path }) => path) };
  return { ...saved, ...withAdded(found, added), outcome };
}

/** What a hook has added to a commit is not left out. */
function withAdded({ taken, leftOut }: Choice, added: readonly AddedFile[]): Choice {
  const paths = new Set(added.map(({ path }) => path));
  const work = added.filter(({ isOwn }) => !isOwn);
  return {
    taken: [...taken, ...work.map(({ path, sha256 }) => ({ path, sha256 }))],
    leftOut: leftOut.filter(({ path }) => !paths.has(path)),
  };
}
