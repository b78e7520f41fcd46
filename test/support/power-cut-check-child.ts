/**
 * Looks after a power cut for what workers were told is kept, and prints how much that was, how much of it is lost, how
 * often something else is wrong, and the first thing that is.
 *
 * Arguments: the folder of the world, `save`, `mixed` or `run`, and a folder with what the workers printed.
 */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readState } from "../../src/work/state-store.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { git } from "./git-repo.ts";
import { callIn, worldIn } from "./work-world.ts";

const [folder = "", what = "", receipts = ""] = process.argv.slice(2);
const world = worldIn(folder);
const { root } = world;
const problems: string[] = [];
const lost: string[] = [];

/** Returns what git says, or undefined where it fails. */
async function ask(...args: readonly string[]): Promise<string | undefined> {
  return git(root, ...args).catch(() => undefined);
}

async function readReceipts(): Promise<readonly (readonly string[])[]> {
  const names = await readdir(receipts);
  const texts = await Promise.all(names.map((name) => readFile(join(receipts, name), "utf8")));
  return texts.flatMap((text) => text.split("\n").slice(0, -1)).map((line) => line.split(" "));
}

/** A mixed worker leaves also what its own git did not sync, which is not ours to keep. */
async function checkRepository(): Promise<void> {
  // A git that is cut off leaves its locks, and the next one says which to remove.
  for (const name of await readdir(join(root, ".git"), { recursive: true }))
    if (name.endsWith(".lock")) await rm(join(root, ".git", name));
  if ((await ask("fsck", "--full", "--no-dangling")) === undefined) problems.push("git fsck");
  const { code, stderr } = await callIn(world, ["save"]);
  if (code !== 0) problems.push(`the next save: ${stderr}`);
}

async function checkSaves(saved: readonly (readonly string[])[]): Promise<void> {
  const state = await readState(root);
  const named = state.type === "state" ? state.state.commit : null;
  if ((await ask("rev-list", "--objects", named ?? "")) === undefined)
    problems.push(`the state names ${named}`);
  for (const [commit = ""] of saved)
    if ((await ask("rev-list", "--objects", commit)) === undefined) lost.push(commit);
  const newest = saved.at(-1)?.[0] ?? "";
  if (what === "save" && (await ask("merge-base", "--is-ancestor", newest, "HEAD")) === undefined)
    problems.push(`HEAD has gone back behind ${newest}`);
}

async function checkRuns(rounds: readonly (readonly string[])[]): Promise<void> {
  await using project = await openProject({ home: join(folder, "home"), store: "", cwd: root }, "read");
  const { log } = project.store;
  const { sessions } = await log.list({ client: "carryon-run" });
  const recorded = new Set<string>();
  for (const { id } of sessions) {
    const { problem } = await log.verify(id);
    if (problem !== null) problems.push(`${id}: ${problem.reason}`);
    for await (const entry of log.read(id)) if (entry.kind === "round") recorded.add(`${entry.number} ${id}`);
  }
  for (const [commit = "", number = "", session = ""] of rounds) {
    const isKept = (await ask("rev-list", "--objects", commit)) !== undefined;
    if (!isKept || !recorded.has(`${number} ${session}`)) lost.push(`${number} ${session}`);
  }
}

const told = await readReceipts();
try {
  if (told.length > 0) await (what === "run" ? checkRuns(told) : checkSaves(told));
  if (what === "save") await checkRepository();
} catch (error) {
  problems.push(String(error));
}
const first = [...lost, ...problems][0]?.replaceAll("\n", " ") ?? "";
process.stdout.write(`${told.length} ${lost.length} ${problems.length} ${first}\n`);
