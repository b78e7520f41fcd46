/**
 * Saves the work of a repository, or drives runs in it, again and again until the power is cut, and prints what it was
 * told is kept: `commit 1` for a save, `commit round session` for a round.
 *
 * Arguments: the folder of the world, `prepare`, `save`, `mixed` or `run`, and a number that no other worker has. A mixed worker
 * stages and commits by hand between its saves, with a git that syncs nothing.
 */
import { execFile } from "node:child_process";
import { open } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RunEvent } from "../../src/run/run.ts";
import { startRun } from "../../src/run/start-run.ts";
import { git, gitEnv } from "./git-repo.ts";
import { builders } from "./run-world.ts";
import { repoIn } from "./save-repo.ts";
import { callIn, worldIn } from "./work-world.ts";

const [folder = "", what = "", number = ""] = process.argv.slice(2);
const world = worldIn(folder);
const { root } = world;

/** Prints a line; it has left this process when this returns. */
function print(line: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${line}\n`, () => resolve()));
}

/** Writes a file that survives a power cut: only what git keeps of it is at stake. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w");
  await file.writeFile(text);
  await file.sync();
  await file.close();
}

/** Makes the repository, with a git that syncs nothing, and then has all of it synced. */
async function prepare(): Promise<void> {
  await repoIn(root);
  await promisify(execFile)("sync", ["--file-system", root]);
}

async function saveOften(): Promise<void> {
  for (let count = 1; ; count += 1) {
    await writeDurably(join(root, `${number}-${count}.txt`), `work ${count} of ${number}\n`);
    if (what === "mixed" && count % 3 > 0) await git(root, "add", "-A");
    if (what === "mixed" && count % 3 === 2) await git(root, "commit", "-qm", `by hand ${number}-${count}`);
    await writeDurably(join(root, `${number}.txt`), `latest ${count} of ${number}\n`);
    const { code, stdout, stderr } = await callIn(world, ["save", "--json"]);
    if (code !== 0) throw new Error(`${stdout}${stderr}`);
    await print(`${await git(root, "rev-parse", "HEAD")} 1`);
  }
}

async function runOften(): Promise<void> {
  let session = "";
  const receipts: Promise<void>[] = [];
  const tell = (event: RunEvent) => {
    if (event.type === "round-saved") receipts.push(print(`${event.files.commit} ${event.round} ${session}`));
  };
  const place = { home: join(folder, "home"), store: "", cwd: root, env: gitEnv };
  for (;;) {
    const run = await startRun({ ...place, ...builders(1000), task: `Build ${number}.`, tell });
    session = run.session;
    await run.drive(new AbortController().signal);
    await Promise.all(receipts);
    await run[Symbol.asyncDispose]();
  }
}

// Node does it at the end of a process, which none of these lives to see.
flushCompileCache();
if (what === "prepare") await prepare();
else await (what === "run" ? runOften() : saveOften());
