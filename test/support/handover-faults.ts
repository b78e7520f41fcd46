import { cp, mkdir, rm } from "node:fs/promises";
import { expect } from "vitest";
import { bundleScript } from "./bundle-script.ts";
import {
  type HandoverOperationName,
  handoverOperations,
  handoverSceneIn,
  openHandoverScene,
} from "./handover-operations.ts";
import { findLosses, type HandoverView, viewHandover } from "./handover-view.ts";
import { expectRepeatable } from "./repeat-handover.ts";
import { withoutWarnings } from "./store-faults.ts";
import { type StracedRun, strace, type TracedCall } from "./strace.ts";
import { tempDir } from "./temp-dir.ts";

// A question mark lets a call be missing: not every processor has all of them.
const names = ["?rename", "?renameat", "?renameat2", "?link", "?linkat", "?unlink", "?unlinkat"];
const calls = ["write", "pwrite64", "fsync", "fdatasync", "ftruncate", "?mkdir", "?mkdirat", ...names];

/** What can go wrong at a call. */
export const handoverFaults = ["SIGKILL", "EIO", "ENOSPC"] as const;
export type HandoverFault = (typeof handoverFaults)[number];

const codes: Readonly<Record<HandoverFault, readonly string[]>> = {
  SIGKILL: [],
  EIO: ["io-failed", "store-failed"],
  ENOSPC: ["disk-full", "store-full", "store-failed"],
};

/** A call that an operation makes on a file, and how strace can be told of it. */
export interface Target {
  readonly call: string;
  /** The file, from the folder of the scene, without what differs from run to run. */
  readonly name: string;
  /** The paths that calls must be on to be counted: all, where the name of the file is not known beforehand. */
  readonly paths: readonly string[];
  readonly number: number;
}

/** An operation with its scene, and what it does there when nothing goes wrong. */
export interface HandoverRehearsal extends AsyncDisposable {
  readonly operation: HandoverOperationName;
  /** Where the operation runs: always in one place, because a project outside git is known by its path. */
  readonly folder: string;
  /** Brings the scene back to what it was. */
  readonly reset: () => Promise<void>;
  readonly script: string;
  readonly before: HandoverView;
  readonly after: HandoverView;
  /** The calls on files that it makes, in order. */
  readonly targets: readonly Target[];
}

/** Makes the scene of an operation, and lets the operation run through. */
export async function rehearseHandover(operation: HandoverOperationName): Promise<HandoverRehearsal> {
  const dir = await tempDir();
  const [folder, original] = [dir.join("scene"), dir.join("original")];
  await mkdir(handoverSceneIn(folder).work, { recursive: true });
  const before = await inScene(folder, async ({ handover }) => {
    await handoverOperations[operation].prepare(handover);
    return viewHandover(handover);
  });
  await cp(folder, original, { recursive: true });
  const reset = async () => {
    await rm(folder, { recursive: true });
    await cp(original, folder, { recursive: true });
  };
  const script = await bundleScript("handover-operation-child.ts");
  const run = await strace({ calls, paths: [] }, script.path, operation, folder, "ahead");
  expect(run).toMatchObject({ exit: 0, stdout: "ready\ndone\n" });
  return {
    ...{ operation, folder, reset, script: script.path, before, targets: findTargets(run.calls, folder) },
    after: await inScene(folder, ({ handover }) => viewHandover(handover)),
    [Symbol.asyncDispose]: async () => {
      await script[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

type Scene = Awaited<ReturnType<typeof openHandoverScene>>;

async function inScene<Result>(folder: string, work: (scene: Scene) => Promise<Result>): Promise<Result> {
  await using scene = await openHandoverScene(folder);
  return await work(scene);
}

/** Returns the calls of the operation itself on the files of its scene. */
function findTargets(all: readonly TracedCall[], folder: string): readonly Target[] {
  const at = (word: string) => all.findIndex(({ call, rest }) => call === "write" && rest.includes(word));
  const [start, end] = [at('"ready'), at('"done')];
  return all.flatMap((each, index) => {
    const { call, path } = each;
    if (index < start || index > end || !path.startsWith(`${folder}/`)) return [];
    const name = nameOf(path, folder);
    if (path.endsWith(name)) {
      const earlier = all.slice(0, index + 1).filter((other) => other.call === call && other.path === path);
      return [{ call, name, paths: [path], number: earlier.length }];
    }
    return [{ call, name, paths: [], number: each.number }];
  });
}

function nameOf(path: string, folder: string): string {
  return path.slice(folder.length + 1).replace(/\.[0-9a-f]+-\d+-\d+-[0-9a-f]+\.carryon-tmp$/, ".carryon-tmp");
}

/**
 * Lets an operation run into a fault at one of its calls, and checks what it leaves and that it can go on. Returns how
 * many runs it took to meet the fault.
 */
export async function meetHandoverFault(
  rehearsal: HandoverRehearsal,
  target: Target,
  fault: HandoverFault,
): Promise<number> {
  const { before, after, folder } = rehearsal;
  const what = `${fault} at ${target.call} ${target.number} of ${target.name}`;
  const { exit, stdout, stderr, attempt } = await runInto(rehearsal, target, fault, what);
  const [first, last = "", ...more] = stdout.trimEnd().split("\n");
  const isDone = last === "done";
  const failure = last.startsWith("failed ") ? last.slice("failed ".length) : undefined;
  expect({ what, first, more, exit, failure, stderr: withoutWarnings(stderr) }).toEqual({
    ...{ what, first: "ready", more: [], stderr: "" },
    ...expectedEnding(fault, isDone),
  });
  await inScene(folder, async (scene) => {
    const now = await viewHandover(scene.handover);
    expect({ what, losses: findLosses(before, after, now) }).toEqual({ what, losses: [] });
    if (isDone) expect({ what, now }).toEqual({ what, now: after });
    await expectRepeatable(rehearsal, scene, now, what);
  });
  return attempt;
}

function expectedEnding(fault: HandoverFault, isDone: boolean): object {
  if (fault === "SIGKILL") return { exit: "SIGKILL", failure: undefined };
  return isDone
    ? { exit: 0, failure: undefined }
    : { exit: 74, failure: expect.toBeOneOf([...codes[fault]]) };
}

/** How often a fault may miss its call: the threads of Node wake each other by writes, and not always as often. */
const attempts = 20;

/** Runs an operation until a fault has met the call that it is meant for. */
async function runInto(
  { operation, script, folder, reset }: HandoverRehearsal,
  { call, name, paths, number: expected }: Target,
  fault: HandoverFault,
  what: string,
): Promise<StracedRun & { readonly attempt: number }> {
  const action = fault === "SIGKILL" ? `signal=${fault}` : `error=${fault}`;
  let number = expected;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await reset();
    const options = { calls, paths, inject: [`${call}:${action}:when=${number}`] };
    const run = await strace(options, script, operation, folder, paths.length === 0 ? "ahead" : "");
    const all = run.calls.filter((each) => each.call === call);
    const hit = all.findLast((each) => each.number === number);
    const isMet = fault === "SIGKILL" ? run.exit === fault : hit?.rest.includes("INJECTED") === true;
    if (hit !== undefined && nameOf(hit.path, folder) === name && isMet) return { ...run, attempt };
    // It came too late, or so early that the call has not been made.
    number = all.find(({ path }) => nameOf(path, folder) === name)?.number ?? number + 1;
  }
  throw new Error(`No run of ${attempts} met ${what}.`);
}
