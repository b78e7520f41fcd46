import {
  isKeptByLfs,
  isNamedSubmodule,
  nothingThere,
  readBlob,
  readBlobs,
  readChanged,
} from "../../git/file-content.ts";
import { describePath, type GitPath } from "../../git/git-path.ts";
import type { ChangedPath, TreeEntry } from "../../git/git-status.ts";
import { isInWorkTree } from "../../git/read-changes.ts";
import type { RepositoryFiles } from "../../git/repository.ts";
import { findLeftBehind, findMoved } from "./find-moved.ts";
import {
  isAboutContent,
  isEnvironmentName,
  isMadeForSecrets,
  type Judgement,
  type JudgeOptions,
  judgeFile,
  type LeftOut,
  type Taken,
} from "./leave-out.ts";

/** What is committed of the changed files, and what is not. */
export interface Choice {
  readonly taken: readonly Taken[];
  readonly leftOut: readonly LeftOut[];
}

/** How many files are read at once. */
const atOnce = 16;

/** Decides of each changed file whether it is committed. Files in conflict are neither. */
export async function chooseFiles(
  repository: RepositoryFiles,
  changes: readonly ChangedPath[],
): Promise<Choice> {
  const { run, root } = repository;
  const gone = findGone(root, changes);
  let goneContents: Promise<string> | undefined;
  const options: JudgeOptions = {
    isKeptElsewhere: (path) => isKeptByLfs(run, path),
    readCommitted: async ({ head }) => (await readBlob(run, head?.hash ?? ""))?.toString() ?? "",
    isSubmodule: (path) => isNamedSubmodule(run, path),
    readGone: () => {
      goneContents ??= readBlobs(repository, gone);
      return goneContents;
    },
  };
  const judgements: Judgement[] = [];
  const waiting = changes.filter(({ isUnmerged }) => !isUnmerged);
  for (let at = 0; at < waiting.length; at += atOnce) {
    const some = waiting.slice(at, at + atOnce);
    const contents = readChanged(root, some);
    judgements.push(
      ...(await Promise.all(
        some.map((change, nth) => judgeFile(change, contents[nth] ?? nothingThere, options)),
      )),
    );
  }
  const left = judgements.flatMap((each) => (each.type === "left-out" ? [each.file] : []));
  const doubtful = new Set(left.filter(isAboutContent).map(({ path }) => path));
  const candidates = waiting.filter(({ path }) => doubtful.has(path));
  const all = listGone(root, waiting);
  const moved = keepFromSecrets(await findMoved(repository, gone, candidates), all);
  const hashes = new Set(moved.values());
  const behind = findLeftBehind(
    all.filter(({ head }) => !hashes.has(head.hash)).map(({ path }) => path),
    candidates.filter(({ path, head }) => head === undefined && !moved.has(path)).map(({ path }) => path),
  );
  return {
    taken: judgements.flatMap(({ type, file: { path, sha256 } }) =>
      (type === "taken" && !behind.has(path)) || moved.has(path) ? [{ path, sha256 }] : [],
    ),
    leftOut: [...left.filter(({ path }) => !moved.has(path)), ...[...behind].map(toLeftBehind)],
  };
}

/** Returns what the commit has of the files that the work tree has no more. */
function findGone(root: string, changes: readonly ChangedPath[]): readonly TreeEntry[] {
  return changes.flatMap(({ path, head, index, isGone, isUnmerged, submodule }) => {
    if (head === undefined || !isGone || isUnmerged || submodule !== undefined) return [];
    // What was only taken out of the index stays in the work tree, and nobody has moved it.
    return index === undefined && isInWorkTree(root, path) ? [] : [head];
  });
}

/** A file that is gone, as the commit has it. */
interface GoneFile {
  readonly path: GitPath;
  readonly head: TreeEntry;
}

function listGone(root: string, changes: readonly ChangedPath[]): readonly GoneFile[] {
  return changes.flatMap((change) => findGone(root, [change]).map((head) => ({ path: change.path, head })));
}

/**
 * Takes out what was moved to a new `.env`: an example says nothing of what will be written there, and once it is
 * committed everything in it is.
 */
function keepFromSecrets(
  moved: ReadonlyMap<GitPath, string>,
  gone: readonly GoneFile[],
): ReadonlyMap<GitPath, string> {
  const known = new Set(gone.filter(({ path }) => isMadeForSecrets(path)).map(({ head }) => head.hash));
  const isNew = (path: GitPath, hash: string) =>
    isEnvironmentName(path) && isMadeForSecrets(path) && !known.has(hash);
  return new Map([...moved].filter(([path, hash]) => !isNew(path, hash)));
}

function toLeftBehind([path, to]: readonly [GitPath, GitPath]): LeftOut {
  return { path, sha256: null, reason: "moved-away", detail: describePath(to) };
}
