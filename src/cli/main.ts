import { closeSync, openSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { isatty } from "node:tty";
import { type AppError, folderIsGone } from "../lib/app-error.ts";
import { systemClock } from "../lib/clock.ts";
import { repositoryVariables } from "../lib/repository-variables.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import type { CommandContext } from "./command-context.ts";
import { askSecretOnTerminal, askTextOnTerminal, chooseOnTerminal, confirmOnTerminal } from "./confirm.ts";
import { Interrupted } from "./interrupted.ts";

// Node warns of the two together when anything loads node:util, so that this comes before all that may.
if (process.env.NO_COLOR) Reflect.deleteProperty(process.env, "FORCE_COLOR");
else Reflect.deleteProperty(process.env, "NO_COLOR");
// What we start has the environment that we were given; what we ask git is about folders, not about the repository of a hook.
const environment = { ...process.env };
for (const name of repositoryVariables) Reflect.deleteProperty(process.env, name);
const { runCli } = await import("./run-cli.ts");
const { toPrintableLine } = await import("../lib/printable.ts");
const { makeStyle, wantsColors } = await import("../lib/style.ts");

const interruption = new AbortController();
let catches = false;
let readsInput = false;
let startedCode = 0;

/** The terminal and the launcher may both deliver one Ctrl-C, so that only a later signal counts as a second one. */
const secondSignalAfterMs = 500;

function catchSignals(): AbortSignal {
  if (catches) return interruption.signal;
  catches = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const ignore = () => undefined;
    const expectSecond = () => void process.off(signal, ignore).once(signal, endAtOnce);
    process.once(signal, () => {
      process.on(signal, ignore);
      interruption.abort(new Interrupted(signal));
      setTimeout(expectSecond, secondSignalAfterMs).unref();
    });
  }
  return interruption.signal;
}

/** What does not end when it is asked to is killed, so that the rest can be saved; without that, this process ends at once. */
async function endAtOnce(signal: NodeJS.Signals): Promise<void> {
  const { killEndings } = await import("../lib/end-group.ts");
  if (killEndings() === 0) process.kill(process.pid, signal);
}

/** A reader such as `head` that has seen enough is no error; a command that must finish its work is told. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE" && catches) interruption.abort(new Interrupted("SIGPIPE"));
  // The terminal is gone; what must be finished is finished without it.
  else if (error.code === "EIO" && catches) interruption.abort(new Interrupted("SIGHUP"));
  else if (error.code === "EPIPE") process.exit(0);
  else {
    process.stderr.write(`carryon: Standard output could not be written: ${error.message}.\n`);
    process.exit(74);
  }
}

function drained(): Promise<void> {
  const { stdout } = process;
  if (!stdout.writableNeedDrain || stdout.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      stdout.off("drain", finish).off("close", finish);
      resolve();
    };
    stdout.on("drain", finish).on("close", finish);
  });
}

function findFolder(): string | AppError {
  try {
    return process.cwd();
  } catch (cause) {
    return folderIsGone(cause);
  }
}

function makeContext(): CommandContext {
  const folder = findFolder();
  if (typeof folder === "string") return makeContextIn(folder);
  const refuse = () => {
    throw folder;
  };
  // Not every command asks for the folder.
  return Object.defineProperty(makeContextIn(""), "cwd", { get: refuse });
}

function makeContextIn(cwd: string): CommandContext {
  const { stdout } = process;
  const env = environment;
  const isTerminal = { input: isatty(0), output: isatty(1), error: isatty(2) };
  return {
    cwd,
    env,
    program: [process.execPath, process.argv[1] ?? ""],
    userHome: homedir(),
    pid: process.pid,
    machine: hostname(),
    clock: systemClock,
    random: systemRandom,
    input: {
      [Symbol.asyncIterator]: () => {
        readsInput = true;
        return process.stdin[Symbol.asyncIterator]();
      },
    },
    out: (text) => void stdout.write(text),
    err: (text) => void process.stderr.write(text),
    warn: (warning) => void process.stderr.write(`${toPrintableLine(warning)}\n`),
    drained,
    isTerminal,
    hasOwnTerminal,
    // A pseudo terminal that nobody gave a size says 0.
    columns: isTerminal.output ? stdout.columns || 80 : undefined,
    rows: isTerminal.output ? stdout.rows || 24 : undefined,
    style: makeStyle({ colors: wantsColors({ env, isTerminal: isTerminal.output }) }),
    errorStyle: makeStyle({ colors: wantsColors({ env, isTerminal: isTerminal.error }) }),
    catchSignals,
    ignoreInterrupts: () => void process.on("SIGINT", () => undefined),
    confirm: (question) =>
      confirmOnTerminal(question, {
        ...{ input: process.stdin, output: process.stderr, signal: interruption.signal },
      }).finally(() => {
        readsInput = true;
      }),
    choose: (question, choices, reader) =>
      chooseOnTerminal(question, choices, { input: process.stdin, output: process.stderr }, reader).finally(
        () => {
          // The program that is started next reads from the same terminal.
          process.stdin.pause();
        },
      ),
    askText: (question) =>
      askTextOnTerminal(question, { input: process.stdin, output: process.stderr }).finally(() => {
        readsInput = true;
      }),
    start: async (program) => {
      // Ctrl-C is for the program.
      process.on("SIGINT", () => undefined);
      const { startProgram } = await import("./start-program.ts");
      startedCode = await startProgram(program);
    },
    openTerminal: async () => {
      const { openKeyTerminal } = await import("./key-terminal.ts");
      readsInput = true;
      return openKeyTerminal(() => interruption.abort(new Interrupted("SIGHUP")));
    },
    askSecret: (question) =>
      askSecretOnTerminal(question, { input: process.stdin, output: process.stderr }).finally(() => {
        readsInput = true;
      }),
  };
}

process.stdout.on("error", onOutputError);
// Nobody is left to read what went wrong.
process.stderr.on("error", () => undefined);
process.exitCode = (await runCli(process.argv.slice(2), makeContext())) || startedCode;
// An input that was not read to its end would keep the process alive.
if (readsInput) process.stdin.destroy();
// So would a server that a failed command has given up, and that does not hang up.
if (process.exitCode !== 0) process.stderr.write("", () => process.stdout.write("", () => process.exit()));

/** Tells whether this process belongs to a terminal, whatever its streams are: one that was let go of has none. */
function hasOwnTerminal(): boolean {
  if (process.platform === "win32") return isatty(0);
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    // There is none: ENXIO, or where the machine has no such file, ENOENT.
    return false;
  }
}
