/**
 * Saves the work of a world, keeps its files as a round, or stashes what has changed.
 *
 * Arguments: the folder of the world, which of them, and the PATH on which git is found.
 */

import { openRepository } from "../../src/git/repository.ts";
import { stashIn } from "../../src/git/sync-git.ts";
import { keepTree } from "../../src/work/keep-tree.ts";
import { roundsSession } from "./round-trees.ts";
import { callIn, worldIn } from "./work-world.ts";

const [folder = "", what = "", path = ""] = process.argv.slice(2);
const world = worldIn(folder);
const env = { ...world.env, PATH: path };
process.env.PATH = path;
const repository = await openRepository(world.root, env, { mayAsk: false });
const round = { session: roundsSession, round: 1, at: new Date() };

const acts: Readonly<Record<string, () => Promise<boolean>>> = {
  save: async () => (await callIn({ ...world, env }, ["save"])).code === 0,
  round: async () => (await keepTree(repository, round)).type === "kept",
  stash: async () => (await stashIn(repository)).includes("Saved working directory"),
};

process.exitCode = (await acts[what]?.()) === true ? 0 : 1;
