import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import { AppError, isSystemError } from "../../lib/app-error.ts";
import { writeFailed } from "../../lib/file-error.ts";
import type { CommandContext } from "../command-context.ts";

/** A folder with a store of its own, in which the real program is run. */
export interface Scratch {
  readonly folder: string;
  /** The folder of the work, in it. */
  readonly cwd: string;
  /** The whole environment of the programs that are run. */
  readonly env: NodeJS.ProcessEnv;
  /** Where its store is. */
  readonly home: string;
  /** Runs a command to its end and returns what it answered. */
  run(args: readonly string[], input?: string): Promise<string>;
  /** Does the same with a store of its own, as if on another machine. */
  runElsewhere(args: readonly string[]): Promise<string>;
  /** Runs a command that is to be refused, and returns its exit code and what it said. */
  refused(args: readonly string[], input: string): Promise<Refusal>;
  /** Runs a command with more variables, and returns what it said and answered. */
  hear(args: readonly string[], more: NodeJS.ProcessEnv): Promise<string>;
  /** Starts a command with more variables, to listen to what it says while it runs. */
  talk(args: readonly string[], more: NodeJS.ProcessEnv): ChildProcessByStdio<null, null, Readable>;
  /** Starts a command and leaves it running. */
  start(args: readonly string[]): ChildProcessByStdio<Writable, Readable, null>;
  remove(): Promise<void>;
}

interface Refusal {
  /** 0 when it was not refused after all. */
  readonly code: number;
  readonly said: string;
}

/** Makes the folder; the programs in it see nothing of the user's own home. */
export async function openScratch(context: CommandContext): Promise<Scratch> {
  const folder = await makeFolder(tmpdir());
  const home = join(folder, "carryon-home");
  const cwd = join(folder, "login-service");
  await mkdir(cwd);
  const [node, launcher] = context.program;
  const env = { PATH: context.env.PATH, TMPDIR: folder, HOME: folder, CARRYON_HOME: home, NO_COLOR: "1" };
  const start = (args: readonly string[], input: string, where: NodeJS.ProcessEnv = env) => {
    const options = { cwd, env: where, maxBuffer: 64 * 1024 * 1024 };
    const running = promisify(execFile)(node, [launcher, ...args], options);
    // A command that is refused does not read its input.
    running.child.stdin?.on("error", () => undefined);
    running.child.stdin?.end(input);
    return running;
  };
  return {
    ...{ folder, cwd, env, home },
    run: async (args, input = "") => (await start(args, input)).stdout,
    runElsewhere: async (args) =>
      (await start(args, "", { ...env, CARRYON_HOME: `${home}-elsewhere` })).stdout,
    refused: (args, input) =>
      start(args, input).then(
        () => ({ code: 0, said: "" }),
        ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
      ),
    hear: async (args, more) => {
      const { stdout, stderr } = await start(args, "", { ...env, ...more });
      return `${stderr}${stdout}`;
    },
    talk: (args, more) =>
      spawn(node, [launcher, ...args], {
        ...{ cwd, env: { ...env, ...more }, stdio: ["ignore", "ignore", "pipe"] },
      }),
    start: (args) => spawn(node, [launcher, ...args], { cwd, env, stdio: ["pipe", "pipe", "ignore"] }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function makeFolder(parent: string): Promise<string> {
  try {
    return await mkdtemp(join(parent, "carryon-tour-"));
  } catch (cause) {
    if (!isSystemError(cause, "ENOENT", "ENOTDIR")) throw writeFailed(parent, cause);
    throw new AppError(`The folder for temporary files does not exist: ${parent}`, {
      kind: "usage",
      code: "no-temp-folder",
      hint: "Set TMPDIR to a folder that exists, or unset it.",
      cause,
    });
  }
}
