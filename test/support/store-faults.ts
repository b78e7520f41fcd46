import { cp, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { inspectStore } from "../../src/storage/maintenance.ts";
import { locateStore } from "../../src/storage/open-store.ts";
import { operations, type Scene, sceneIn } from "./store-operations.ts";
import { prepareScene, type Trial } from "./store-trials.ts";
import { type StracedRun, strace } from "./strace.ts";
import { type TempDir, tempDir } from "./temp-dir.ts";

const writes = ["pwrite64", "?copy_file_range", "?sendfile"];
const syncs = ["fsync", "fdatasync"];
const links = ["?link", "?linkat"];
const changes = ["ftruncate", "?unlink", "?unlinkat", "?rename", "?renameat", "?renameat2", ...links];

export interface Fault {
  readonly name: string;
  /** What to do to a call, as strace takes it: `error=EIO` or `signal=SIGKILL`. */
  readonly action: string;
  /** The calls that it is done to, one at a time. */
  readonly calls: readonly string[];
  /** Whether the fault stays or is gone at the next call. */
  readonly lasting?: boolean;
  /** How an operation may stop because of it, if it does. */
  readonly codes: readonly string[];
}

const failed = ["store-failed", "io-failed"];
const full = ["store-full", "disk-full", "store-failed"];
// SQLite tries to open for reading what it could not open for writing, and may succeed.
const unopened = [...failed, "key-unreadable", "store-read-only"];

/** Every fault that every operation must survive; a signal has no codes. */
export const faults: readonly Fault[] = [
  { name: "EIO at a write", action: "error=EIO", calls: writes, codes: failed },
  { name: "EIO from a write on", action: "error=EIO", calls: writes, lasting: true, codes: failed },
  { name: "ENOSPC at a write", action: "error=ENOSPC", calls: writes, codes: full },
  { name: "ENOSPC from a write on", action: "error=ENOSPC", calls: writes, lasting: true, codes: full },
  { name: "EIO at a sync", action: "error=EIO", calls: syncs, codes: failed },
  { name: "EIO from a sync on", action: "error=EIO", calls: syncs, lasting: true, codes: failed },
  { name: "ENOSPC at a sync", action: "error=ENOSPC", calls: syncs, codes: full },
  { name: "EIO at a change of a name or a size", action: "error=EIO", calls: changes, codes: failed },
  { name: "EMFILE at an open", action: "error=EMFILE", calls: ["openat"], codes: unopened },
  { name: "SIGKILL at a write", action: "signal=SIGKILL", calls: writes, codes: [] },
  { name: "SIGKILL at a sync", action: "signal=SIGKILL", calls: syncs, codes: [] },
  { name: "SIGKILL at a change of a name or a size", action: "signal=SIGKILL", calls: changes, codes: [] },
];

/** What a file system without hard links says; none of it may be noticed. */
export const noHardLinks: Fault = {
  name: "no hard links",
  action: "error=EPERM",
  calls: links,
  lasting: true,
  codes: [],
};

/** A scene that is made once, and what the operation makes of it when nothing goes wrong. */
export interface Rehearsal extends AsyncDisposable {
  readonly trial: Trial;
  /** The folder with the scene. */
  readonly folder: string;
  /** What is acknowledged, in order. */
  readonly steps: readonly string[];
  /** What is seen before the first step, and after each. */
  readonly views: readonly unknown[];
  /** What is wrong after it. */
  readonly faults: readonly string[];
}

/** Makes the scene of a trial, and lets its operation run through on a copy of it. */
export async function rehearse(trial: Trial): Promise<Rehearsal> {
  const dir = await tempDir();
  await prepareScene(trial, sceneIn(dir.path));
  await using stage = await copyScene(dir.path);
  const scene = sceneIn(stage.path);
  const steps: string[] = [];
  const views: unknown[] = [];
  {
    await using before = await copyScene(dir.path);
    views.push(await trial.look(sceneIn(before.path)));
  }
  await operations[trial.operation](scene, async (step) => {
    steps.push(step);
    views.push(await trial.look(scene));
  });
  const faults = await findFaults(trial, scene);
  return { trial, folder: dir.path, steps, views, faults, [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

async function copyScene(folder: string): Promise<TempDir> {
  const stage = await tempDir();
  await cp(folder, stage.path, { recursive: true });
  return stage;
}

/** Runs the operation of a trial on a copy of its scene while strace does what it is told. */
async function runUnder(
  { trial }: Rehearsal,
  stage: TempDir,
  calls: readonly string[],
  inject: readonly string[],
): Promise<StracedRun> {
  const scene = sceneIn(stage.path);
  const path = locateStore(scene.home);
  const known = ["", "-wal", "-shm", "-journal"].map((end) => `${path}${end}`);
  // Node itself opens files, so that only those of the store may fail; it makes none of the other calls.
  const paths = [...known, scene.home, join(scene.home, "key"), dirname(scene.file), scene.file];
  const filter = calls.includes("openat") ? paths : [];
  return strace({ calls, paths: filter, inject }, "store-operation-child.ts", trial.operation, stage.path);
}

/** Returns how often an operation makes each of the calls. */
export async function countCalls(
  rehearsal: Rehearsal,
  calls: readonly string[],
): Promise<StracedRun["counts"]> {
  await using stage = await copyScene(rehearsal.folder);
  const { exit, counts, stdout } = await runUnder(rehearsal, stage, calls, []);
  expect({ exit, lines: stdout.trimEnd().split("\n") }).toEqual({ exit: 0, lines: rehearsal.steps });
  return counts;
}

/**
 * Lets an operation run into a fault at its first call of each kind, its last and others in between, at most so many,
 * and returns how many runs that were.
 */
export async function sweep(rehearsal: Rehearsal, fault: Fault, most: number): Promise<number> {
  let runs = 0;
  for (const [call, count] of await countCalls(rehearsal, fault.calls)) {
    for (const number of spread(count, most)) {
      await meetFault(rehearsal, fault, `${call}:${fault.action}:when=${number}${fault.lasting ? "+" : ""}`);
      runs += 1;
    }
  }
  return runs;
}

/** Returns numbers from 1 to a count, both included, at most so many. */
function spread(count: number, most: number): readonly number[] {
  const length = Math.min(count, most);
  const gap = length > 1 ? (count - 1) / (length - 1) : 0;
  return Array.from({ length }, (_, index) => 1 + Math.round(index * gap));
}

/**
 * Lets an operation run into a fault, and checks what it leaves: it went on without noticing, or stopped with one of
 * the codes and the exit code for a failed disk, or was killed; the store is whole and has everything that was
 * acknowledged, and nothing or all of what was not; and the operation can be repeated.
 */
async function meetFault(rehearsal: Rehearsal, fault: Fault, inject: string): Promise<void> {
  const { trial, steps, views } = rehearsal;
  await using stage = await copyScene(rehearsal.folder);
  const scene = sceneIn(stage.path);
  const { exit, stdout, stderr, injected } = await runUnder(rehearsal, stage, fault.calls, [inject]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  const failure = lines.at(-1)?.startsWith("failed ") ? lines.pop()?.slice("failed ".length) : undefined;
  const isMet = injected > 0 || exit === "SIGKILL";
  const ending = { inject, exit, failure, isMet, stderr: withoutWarnings(stderr) };
  expect(ending).toEqual({ inject, ...expectedEnding(fault, failure), isMet: true, stderr: "" });
  expect({ inject, lines }).toEqual({ inject, lines: steps.slice(0, lines.length) });
  if (exit === 0) expect({ inject, lines }).toEqual({ inject, lines: steps });
  const view = await trial.look(scene);
  // A step that failed may have reached the disk all the same.
  const possible = views.slice(lines.length, lines.length + 2);
  if (!possible.some((each) => isDeepStrictEqual(each, view)))
    expect({ inject, view }).toEqual({ inject, view: possible });
  await expectRepeatable(rehearsal, scene);
}

/** Tells whether a fault ends the process that meets it. */
export function isKill({ action }: Fault): boolean {
  return action === "signal=SIGKILL";
}

function expectedEnding(fault: Fault, failure: string | undefined): object {
  if (isKill(fault)) return { exit: "SIGKILL", failure };
  return failure === undefined
    ? { exit: 0, failure }
    : { exit: 74, failure: expect.toBeOneOf([...fault.codes]) };
}

async function expectRepeatable({ trial, steps, views }: Rehearsal, scene: Scene): Promise<void> {
  const repeated: string[] = [];
  await operations[trial.operation](scene, async (step) => void repeated.push(step));
  expect(repeated).toEqual(steps);
  expect(await trial.look(scene)).toEqual(views.at(-1));
  expect(await findFaults(trial, scene)).toEqual([]);
}

/** Returns what is wrong after an operation: problems of the store, files in the making, and what the trial looks for. */
async function findFaults(trial: Trial, scene: Scene): Promise<readonly string[]> {
  const more = (await trial.findFaults?.(scene)) ?? [];
  const names = await Promise.all([scene.home, dirname(scene.file)].map((folder) => readdir(folder)));
  const strays = names.flat().filter((name) => name.includes(".carryon-tmp"));
  const { problems } = await inspectStore(scene.home);
  return [...more, ...strays, ...problems.map(({ what }) => what)];
}

/** Leaves out that SQLite is an experiment, as Node 22 says of it. */
export function withoutWarnings(stderr: string): string {
  return stderr.replace(/^\(node:\d+\) ExperimentalWarning: SQLite.*\n.*--trace-warnings.*\n/gm, "");
}
