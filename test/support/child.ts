import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** A script in a process of its own, to which a test talks in lines. Killed with its scope. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Sends a line and returns the next line that the child prints. */
  ask(line: string): Promise<string>;
  /** Sends a line without waiting for an answer. */
  tell(line: string): void;
  /** Returns the next line that the child prints, or undefined when it has ended. */
  next(): Promise<string | undefined>;
  kill(signal: NodeJS.Signals): void;
  /** Ends its input. */
  end(): void;
  /** Returns how it ended: an exit code or the name of a signal. */
  ended(): Promise<number | NodeJS.Signals | null>;
}

/** Returns the path of a script that lies beside this file. */
export function scriptPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Starts a script of test/support with the Node that runs the tests. */
export function startChild(script: string, ...args: readonly string[]): Child {
  return start(process.execPath, [scriptPath(script), ...args]);
}

/** What every child finds in its environment. The cache halves the time that a script takes to start. */
export const childEnv = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "compile-cache") };

/** Starts a program. Its complaints go where those of the tests go. */
export function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = childEnv): Child {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started.`);
  return { pid, ...converse(child) };
}

function converse(child: ChildProcessByStdio<Writable, Readable, null>): Omit<Child, "pid"> {
  const ending = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // A child that has been killed does not listen any more.
  child.stdin.on("error", () => undefined);
  const next = async () => (await lines.next()).value as string | undefined;
  const tell = (line: string) => void child.stdin.write(`${line}\n`);
  const ended = async () => {
    await ending;
    return child.exitCode ?? child.signalCode;
  };
  return {
    next,
    tell,
    ended,
    ask: async (line) => {
      tell(line);
      return (await next()) ?? "";
    },
    kill: (signal) => void child.kill(signal),
    end: () => void child.stdin.end(),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended();
    },
  };
}
