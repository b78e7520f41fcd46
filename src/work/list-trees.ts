import { isCommit } from "../git/find-commit.ts";
import type { GitRun } from "../git/git-run.ts";
import { listRefs, updateRefs } from "../git/tree-index.ts";
import { parseRoundRef, type RoundName, roundRefs, toRoundRef } from "./trees/round-ref.ts";

/** The files of a round, as they are kept. */
export interface RoundTree extends RoundName {
  readonly commit: string;
}

/** Returns all rounds whose files are kept in a repository, by session and number. */
export async function listTrees(run: GitRun): Promise<readonly RoundTree[]> {
  const trees = (await listRefs(run, `${roundRefs}/`)).flatMap(({ ref, commit }) => {
    const name = parseRoundRef(ref);
    return name === undefined ? [] : [{ ...name, commit }];
  });
  return trees.toSorted((one, other) => one.session.localeCompare(other.session) || one.round - other.round);
}

/** Tells whether a repository has a commit. */
export async function hasCommit(run: GitRun, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return false;
  return isCommit(run, commit);
}

/**
 * Forgets the files of rounds; one that was kept anew since it was listed stays. Git reclaims the room when it next collects
 * garbage.
 */
export async function forgetTrees(run: GitRun, trees: readonly RoundTree[]): Promise<void> {
  if (trees.length === 0) return;
  await updateRefs(run, trees.map((tree) => `delete ${toRoundRef(tree)} ${tree.commit}\n`).join(""));
}
