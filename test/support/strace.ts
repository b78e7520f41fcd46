import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { type Child, childEnv, scriptPath, start } from "./child.ts";
import { tempDir } from "./temp-dir.ts";

export interface StraceOptions {
  /** The system calls to watch, such as `fsync`, or `?rename` for one that this processor may not have. */
  readonly calls: readonly string[];
  /** Only calls on exactly these paths count; all, if there are none. */
  readonly paths: readonly string[];
  /** What to do to some of the calls, each as strace takes it: `fsync:error=EIO:when=2`. */
  readonly inject?: readonly string[];
}

export interface StracedRun {
  /** An exit code or the name of a signal. */
  readonly exit: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
  /** The names of the calls in order. */
  readonly trace: readonly string[];
  /** How often each call was made by the thread that made it most often. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many of them were tampered with. */
  readonly injected: number;
  /** The calls in order, each with what it was about. */
  readonly calls: readonly TracedCall[];
}

/** One system call of a run. */
export interface TracedCall {
  readonly call: string;
  /** How many calls of this name its thread had made with it. */
  readonly number: number;
  /** The file that it was on, or the first of two. */
  readonly path: string;
  /** The rest of its line: what it was told and what it answered. */
  readonly rest: string;
}

// strace counts per thread, so all work on files has to happen on one.
const env = { ...childEnv, UV_THREADPOOL_SIZE: "1" };

function commandLine(options: StraceOptions, log: string, script: string, args: readonly string[]): string[] {
  const filters = options.paths.flatMap((path) => ["-P", path]);
  const injections = (options.inject ?? []).flatMap((each) => ["-e", `inject=${each}`]);
  const tracing = ["-e", `trace=${options.calls.join(",")}`, ...injections, "-e", "signal=none"];
  const node = [process.execPath, scriptPath(script), ...args];
  // Twice as fast, but a signal is lost when the filter in the kernel stops the call.
  const fast = options.inject?.some((each) => each.includes(":signal=")) ? [] : ["--seccomp-bpf"];
  return ["-f", "-y", ...fast, "-qq", "-o", log, ...filters, ...tracing, ...node];
}

/** Runs a script of test/support to its end while strace watches its system calls and tampers with some. */
export async function strace(
  options: StraceOptions,
  script: string,
  ...args: readonly string[]
): Promise<StracedRun> {
  await using dir = await tempDir();
  const command = commandLine(options, dir.join("log"), script, args);
  const run = await new Promise<Pick<StracedRun, "exit" | "stdout" | "stderr">>((resolve) => {
    execFile("strace", command, { env }, (error, stdout, stderr) => {
      resolve({ exit: error === null ? 0 : (error.signal ?? Number(error.code)), stdout, stderr });
    });
  });
  return { ...run, ...(await readTrace(dir.join("log"))) };
}

export interface StracedChild extends Child {
  /** Returns the names of its system calls so far, in order. */
  readTrace(): Promise<readonly string[]>;
  /** Returns how many of them have been tampered with. */
  countInjected(): Promise<number>;
  /** Tells whether a call has returned: the line of one that waits is written before that when another thread calls too. */
  hasReturned(call: string): Promise<boolean>;
}

/** Starts a script of test/support under strace, to talk to it. */
export async function startStraced(
  options: StraceOptions,
  script: string,
  ...args: readonly string[]
): Promise<StracedChild> {
  const dir = await tempDir();
  await writeFile(dir.join("log"), "");
  const child = start("strace", commandLine(options, dir.join("log"), script, args), env);
  return {
    ...child,
    readTrace: async () => (await readTrace(dir.join("log"))).trace,
    countInjected: async () => (await readTrace(dir.join("log"))).injected,
    hasReturned: async (call) =>
      new RegExp(`\\b${call}(?:\\(| resumed>).* = `).test(await readFile(dir.join("log"), "utf8")),
    [Symbol.asyncDispose]: async () => {
      // strace ends its child with itself only if the child reads the end of its input.
      child.end();
      await child.ended();
      await dir[Symbol.asyncDispose]();
    },
  };
}

async function readTrace(log: string): Promise<Pick<StracedRun, "trace" | "counts" | "injected" | "calls">> {
  const lines = (await readFile(log, "utf8")).split("\n");
  const calls = lines.flatMap((line) => {
    const [, thread = "", call, named, quoted, rest = ""] =
      /^(\d+)\s+(\w+)\((?:\d+<([^>]*)>|"([^"]*)")?(.*)/.exec(line) ?? [];
    return call === undefined ? [] : [{ thread, call, path: named ?? quoted ?? "", rest }];
  });
  const names = new Set(calls.map(({ call }) => call));
  const numbers = new Map<string, number>();
  const next = (key: string) => numbers.set(key, (numbers.get(key) ?? 0) + 1).get(key) ?? 0;
  return {
    trace: calls.map(({ call }) => call),
    calls: calls.map(({ thread, ...each }) => ({ ...each, number: next(`${thread} ${each.call}`) })),
    counts: new Map([...names].map((name) => [name, countMost(calls.filter(({ call }) => call === name))])),
    injected: lines.filter((line) => /INJECTED|DELAYED/.test(line)).length,
  };
}

function countMost(calls: readonly { readonly thread: string }[]): number {
  const byThread = Map.groupBy(calls, ({ thread }) => thread);
  return Math.max(...[...byThread.values()].map((each) => each.length));
}

/** Returns what to inject in order to do something to the call at an index of a trace, and to no other. */
export function once(trace: readonly string[], index: number, action: string): readonly string[] {
  const call = trace[index] ?? "";
  return [`${call}:${action}:when=${count(trace.slice(0, index + 1), call)}`];
}

/** Returns what to inject in order to do something to the call at an index of a trace and to all after it. */
export function onward(
  trace: readonly string[],
  index: number,
  action: string,
  calls: readonly string[],
): readonly string[] {
  return calls.map(
    (call) => `${call}:${action}:when=${count(trace.slice(0, index), call.replace("?", "")) + 1}+`,
  );
}

function count(trace: readonly string[], call: string): number {
  return trace.filter((each) => each === call).length;
}
