/**
 * Compares a store with the receipts of its writers, and prints how many receipts there are, how many of them are lost,
 * how often something else is wrong, and the first thing that is.
 *
 * Arguments: the home folder, and a folder with what each writer printed in a file that is named after the session and
 * the beginning of the ids, with a dot between them.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { locateKey, readKey } from "../../src/storage/home-folder.ts";
import { findProblems, type Problem } from "./store-audit.ts";
import type { Written } from "./store-writers.ts";

const [home = "", folder = ""] = process.argv.slice(2);

async function readWritten(name: string): Promise<Written> {
  const [session = "", prefix = ""] = name.split(".");
  const lines = (await readFile(join(folder, name), "utf8")).split("\n");
  return { session, prefix, receipts: lines.filter((line) => line !== "") };
}

async function audit(writers: readonly Written[]): Promise<readonly Problem[]> {
  try {
    // Before the store is opened for writing, which would make another.
    const hasKey = (await readKey(locateKey(home))) !== undefined || writers.length === 0;
    const gone = { kind: "damage", what: "the key is gone" } as const;
    return [...(hasKey ? [] : [gone]), ...(await findProblems(home, writers))];
  } catch (error) {
    // A session or a store that cannot be read has lost everything.
    const [what = ""] = String(error).split("\n", 1);
    return writers.flatMap(({ receipts }) => receipts.map(() => ({ kind: "lost", what })));
  }
}

const written = await Promise.all((await readdir(folder)).map(readWritten));
const writers = written.filter(({ receipts }) => receipts.length > 0);
const problems = await audit(writers);
const count = writers.reduce((sum, { receipts }) => sum + receipts.length, 0);
const lost = problems.filter(({ kind }) => kind === "lost").length;
process.stdout.write(`${count} ${lost} ${problems.length - lost} ${problems[0]?.what ?? ""}\n`);
