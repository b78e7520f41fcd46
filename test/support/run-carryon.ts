import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { CommandContext } from "../../src/cli/command-context.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { tempDir } from "./temp-dir.ts";
import { inputOf, launcher, testContext } from "./test-context.ts";

/** What one run of the program answered; ids, times and paths are made the same in every run. */
interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether a call comes from a terminal. */
  readonly isTyped?: boolean;
}

/** The real program with a home of its own. */
export interface Carryon extends AsyncDisposable {
  /** The folder that everything is in; `work` in it is the current folder, `home` is CARRYON_HOME. */
  readonly folder: string;
  /** The environment of every run. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs the program as its users do. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Run>;
  /**
   * Runs a command in this process, with the answer that `run` gives, for a tenth of its price.
   *
   * What belongs to a process needs `run`: signals, pipes, the launcher, and the environment of what it starts.
   */
  readonly call: (args: readonly string[], options?: RunOptions) => Promise<Run>;
  /** Runs a command in this process, and returns its output as it is. It must succeed. */
  readonly ask: (args: readonly string[], input?: readonly object[]) => Promise<string>;
  /** Records a session of user messages and returns its id. */
  readonly record: (...texts: readonly string[]) => Promise<string>;
  /** Starts a command without waiting for it. */
  readonly start: (args: readonly string[], options?: RunOptions) => ChildProcessWithoutNullStreams;
}

/** Makes a home and a folder for the program to run in; what is given is in the environment of every run. */
export async function openCarryon(given: Readonly<Record<string, string>> = {}): Promise<Carryon> {
  const dir = await tempDir();
  const cwd = dir.join("work");
  await mkdir(cwd);
  const own = {
    ...{ HOME: dir.path, CARRYON_HOME: dir.join("home"), TMPDIR: dir.path, TZ: "UTC" },
    // Shared by all runs, because compiling is most of what a run costs.
    NODE_COMPILE_CACHE: join(tmpdir(), "compile-cache"),
    ...given,
  };
  const start: Carryon["start"] = (args, options = {}) =>
    spawn(process.execPath, [launcher, ...args], {
      cwd: options.cwd ?? cwd,
      env: { PATH: process.env.PATH, ...own, ...options.env },
    });
  const raw = async (args: readonly string[], options?: RunOptions): Promise<Run> => {
    const child = start(args, options);
    // A command that refuses its arguments does not wait for its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options?.input ?? "");
    return collect(child);
  };
  const normalise = makeNormaliser(dir.path);
  let lastEnd = 0;
  /** Entries of one command may be some milliseconds ahead of the clock; those of the next one must be later still. */
  const runApart = async (args: readonly string[], context: CommandContext): Promise<number> => {
    while (Date.now() < lastEnd + 5) await delay(1);
    const code = await runCli(args, context);
    lastEnd = Date.now();
    return code;
  };
  const call: Carryon["call"] = async (args, options = {}) => {
    const env = { PATH: process.env.PATH, ...own, ...options.env };
    const input = Readable.from([Buffer.from(options.input ?? "")]);
    const isTyped = options.isTyped === true;
    const isTerminal = { input: isTyped, output: false, error: false };
    const terminal = { isTerminal, hasOwnTerminal: () => isTyped };
    const given = { env, userHome: env.HOME, machine: hostname(), input, ...terminal };
    const context = testContext(options.cwd ?? cwd, given);
    const code = await runApart(args, context);
    return { code, stdout: context.said.out, stderr: context.said.err };
  };
  const ask: Carryon["ask"] = async (args, input = []) => {
    const env = { PATH: process.env.PATH, ...own };
    const given = { env, userHome: dir.path, machine: hostname(), input: inputOf(...input) };
    const context = testContext(cwd, given);
    const code = await runApart(args, context);
    if (code !== 0) throw new Error(`carryon ${args.join(" ")} ended with ${code}: ${context.said.err}`);
    return context.said.out;
  };
  const normalised = ({ code, stdout, stderr }: Run): Run => ({
    ...{ code, stdout: normalise(stdout), stderr: normalise(stderr) },
  });
  return {
    folder: dir.path,
    env: { PATH: process.env.PATH ?? "", ...own },
    start,
    ask,
    run: async (args, options) => normalised(await raw(args, options)),
    call: async (args, options) => normalised(await call(args, options)),
    record: async (...texts) => {
      const messages = texts.map((each) => ({ role: "user", text: each }));
      const [first = ""] = (await ask(["append"], messages)).split("\n");
      return JSON.parse(first).session;
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** Waits for the end of a process and returns everything that it said. */
async function collect(child: ChildProcessWithoutNullStreams): Promise<Run> {
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

/** Makes a function that replaces what differs from run to run; the same id always gets the same number. */
function makeNormaliser(folder: string): (output: string) => string {
  const numbers = new Map<string, number>();
  const number = (id: string) => {
    const known = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, known);
    return String(known).padStart(4, "0");
  };
  return (output) =>
    output
      .replaceAll(folder, "<folder>")
      .replaceAll(`"machine":${JSON.stringify(hostname())}`, '"machine":"<machine>"')
      // As long as before, so that tables keep their form.
      .replace(/session-\d{8}-\d{6}-[a-z0-9]{4}/g, (id) => `session-00000000-000000-${number(id)}`)
      .replace(/ent_[0-9a-f-]{36}/g, (id) => `ent_${number(id)}`)
      .replace(/\b[0-9a-f]{64}\b/g, "<hash>")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
      .replace(/"next":"[\d-]+"/g, '"next":"<cursor>"')
      .replace(/\d{8}T\d{9}/g, "<stamp>")
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "<day> <clock>")
      .replace(/\d\d:\d\d:\d\d/g, "<clock>");
}
