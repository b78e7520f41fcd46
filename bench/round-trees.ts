import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openRepository } from "../src/git/repository.ts";
import { type KeptTree, keepTree } from "../src/work/keep-tree.ts";
import type { Bench, Outcome } from "./figure.ts";
import { doWork, git, type ManyFiles, makeClones, plainEnv } from "./many-files.ts";
import { compare, interleave, medianOf, subject } from "./measure.ts";

const [keep, status] = ["files of a round", "git status"];
const mostFiles = 20_000;

/** The files of a round in a repository of many files, beside `git status` in another one with the same changes. */
export async function roundTrees(bench: Bench): Promise<Outcome> {
  const folder = join(bench.folder, "round-trees");
  const files = Math.min(mostFiles, bench.scale.files);
  const [ours, theirs] = makeClones(folder, files, ["ours", "theirs"]);
  if (ours === undefined || theirs === undefined) throw new Error("There are no clones.");
  try {
    const repository = await openRepository(ours.root, plainEnv, { mayAsk: false });
    let round = 0;
    let after: KeptTree | undefined;
    const keepRound = async () => {
      round += 1;
      after = await keepTree(repository, { session: "session-bench", round, at: new Date(), after });
      if (after.type === "not-kept") throw new Error(after.reason);
    };
    const work = (place: ManyFiles) => {
      let done = 0;
      return async () => {
        done += 1;
        doWork(place, { round: done, changed: 5, added: 2 });
        // Git looks twice at a file of the same second as its index, and a round takes longer.
        await sleep(1100);
      };
    };
    await keepRound();
    const times = await interleave(
      [
        subject({ name: keep, prepare: work(ours), work: keepRound }),
        subject({ name: status, prepare: work(theirs), work: () => git(theirs.root, ["status"]) }),
      ],
      Math.max(8, Math.round(bench.scale.rounds / 66)),
    );
    const among = `${files.toLocaleString("en")} files`;
    return {
      measurements: [
        {
          work: `files of a round, 5 changed and 2 new among ${among}`,
          limit: status,
          ...compare(times, keep, status),
          bar: 2,
        },
      ],
      milliseconds: { [keep]: medianOf(times, keep), [status]: medianOf(times, status) },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
