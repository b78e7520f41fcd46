import type { ChangedPath } from "../git-status.ts";
import { runGit } from "../run-git.ts";
import { findMoved } from "./find-moved.ts";
import { findGone, readContents } from "./gone-files.ts";
import {
  isAboutContent,
  type Judgement,
  type JudgeOptions,
  judgeFile,
  type LeftOut,
  type Taken,
} from "./leave-out.ts";
import type { Repository } from "./repository.ts";

/** What is committed of the changed files, and what is not. */
export interface Choice {
  readonly taken: readonly Taken[];
  readonly leftOut: readonly LeftOut[];
}

/** How many files are read at once. */
const atOnce = 16;

/** Decides of each changed file whether it is committed. Files in conflict are neither. */
export async function chooseFiles(repository: Repository, changes: readonly ChangedPath[]): Promise<Choice> {
  const { run, root } = repository;
  const gone = findGone(root, changes);
  let goneContents: Promise<string> | undefined;
  const options: JudgeOptions = {
    isKeptElsewhere: async (path) => {
      const { stdout } = await runGit({ ...run, input: `${path}\0` }, [
        "check-attr",
        "-z",
        "--stdin",
        "filter",
      ]);
      return stdout.split("\0")[2] === "lfs";
    },
    readCommitted: async ({ head }) => {
      // A partial clone would ask its server for what is not there.
      const question = ["-c", "protocol.allow=never", "cat-file", "blob", head?.hash ?? ""];
      return Buffer.from((await runGit(run, question)).stdout, "latin1").toString();
    },
    readGone: () => {
      goneContents ??= readContents(repository, gone);
      return goneContents;
    },
  };
  const judgements: Judgement[] = [];
  const waiting = changes.filter(({ isUnmerged }) => !isUnmerged);
  for (let at = 0; at < waiting.length; at += atOnce)
    judgements.push(
      ...(await Promise.all(
        waiting.slice(at, at + atOnce).map((change) => judgeFile(root, change, options)),
      )),
    );
  const left = judgements.flatMap((each) => (each.type === "left-out" ? [each.file] : []));
  const doubtful = new Set(left.filter(isAboutContent).map(({ path }) => path));
  const candidates = waiting.filter(({ path }) => doubtful.has(path));
  const moved = await findMoved(repository, gone, candidates);
  return {
    taken: judgements.flatMap(({ type, file: { path, sha256 } }) =>
      type === "taken" || moved.has(path) ? [{ path, sha256 }] : [],
    ),
    leftOut: left.filter(({ path }) => !moved.has(path)),
  };
}
