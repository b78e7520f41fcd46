import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "../../git/repository.ts";
import { copyIndex, type IndexMark, markIndex, removeIndex, type TreeIndex } from "../../git/tree-index.ts";
import { makeSaveFolder } from "../../git/unfinished-save.ts";
import { makeTempPath, sweepStrays } from "../../lib/temp-files.ts";
import { unlessGone } from "../../lib/unless-gone.ts";

/** An index in which the tree of a round is put together. */
export interface RoundIndex extends TreeIndex {
  /** Whether it goes on from the round before; otherwise it begins as the user's index is. */
  readonly isKept: boolean;
  /** What the user's index was when it began. */
  readonly mark: IndexMark;
  /** What it was itself when it began. */
  readonly begun: IndexMark;
}

const start = "rounds-";

/**
 * Makes an index from the one of the round before, so that git needs to look only at what has changed since.
 *
 * That one counts only as long as the user's index stays as it is: what the user adds to git or takes out of it would
 * be missed, such as a file that is ignored and tracked all the same. Whoever goes on from it takes it away, so that no
 * process waits for another, and none finds what a killed one has left half done; the next then begins anew.
 */
export async function beginRoundIndex(repository: Repository, from: "kept" | "user"): Promise<RoundIndex> {
  await makeSaveFolder(repository);
  const path = await makeTempPath(join(repository.folder, "round"));
  const mark = await markIndex(repository.index);
  const isKept = from === "kept" && (await isThere(rename(locateKept(repository, mark), path)));
  if (!isKept) await unlessGone(copyIndex(repository.index, path));
  const env = { ...repository.run.env, GIT_INDEX_FILE: path };
  const run = { ...repository.run, env, refreshesIndex: true };
  return { path, run, hashLength: repository.hashLength, isKept, mark, begun: await markIndex(path) };
}

/** Keeps an index for the next round, and returns what that will find. */
export async function keepRoundIndex(repository: Repository, index: RoundIndex): Promise<IndexMark> {
  const left = await markIndex(index.path);
  const kept = locateKept(repository, index.mark);
  await unlessGone(rename(index.path, kept));
  if (!index.isKept) await sweepOthers(repository, kept);
  return left;
}

async function sweepOthers(repository: Repository, kept: string): Promise<void> {
  const names = (await readdir(repository.folder)).filter((name) => name.startsWith(start));
  const old = names.map((name) => join(repository.folder, name)).filter((path) => path !== kept);
  await Promise.all(old.map(removeIndex));
  await sweepStrays(repository.folder);
}

function locateKept({ folder }: Repository, mark: IndexMark): string {
  return join(folder, `${start}${mark.replaceAll(":", "-")}`);
}

async function isThere(taken: Promise<void>): Promise<boolean> {
  return (await unlessGone(taken.then(() => true))) ?? false;
}
