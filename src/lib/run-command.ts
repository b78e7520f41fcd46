import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isSystemError } from "./app-error.ts";
import type { Command } from "./command.ts";
import { endGroup } from "./end-group.ts";
import { repositoryVariables } from "./repository-variables.ts";
import { underUserUmask } from "./user-umask.ts";

/** Keeps what a command prints, or a part of it, in bounded room. */
export interface OutputKeeper {
  add(bytes: Buffer): void;
  /** What is kept; what is not UTF-8 is replaced. */
  readonly text: string;
}

/** The end of an output says how a command ended. */
const usualBytes = 64 * 1024;

/** The end of what a command has printed. */
export class OutputTail implements OutputKeeper {
  readonly #mostBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(mostBytes = usualBytes) {
    this.#mostBytes = mostBytes;
  }

  add(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    if (this.#length > 2 * this.#mostBytes) this.#keepEnd();
  }

  /** As many bytes as are kept, from a whole character on. */
  get text(): string {
    this.#keepEnd();
    const [end = Buffer.alloc(0)] = this.#chunks;
    const start =
      end.length < this.#mostBytes ? 0 : end.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
    return end.subarray(Math.max(start, 0)).toString("utf8");
  }

  #keepEnd(): void {
    const all = Buffer.concat(this.#chunks);
    // A copy, so that the rest can be let go.
    this.#chunks = [Buffer.from(all.subarray(-this.#mostBytes))];
    this.#length = Math.min(all.length, this.#mostBytes);
  }
}

/** Where and how long a command may run. */
export interface CommandPlace {
  readonly cwd: string;
  /** What it finds in its environment, but for what would tell git of another repository. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ten minutes unless given. */
  readonly timeoutMs?: number | undefined;
  /** Ends it, and all that it has started. */
  readonly signal?: AbortSignal | undefined;
  /** What keeps its output; its last 64 KiB are kept unless given. */
  readonly output?: OutputKeeper;
}

/** How a command ended. */
export type CommandEnd =
  | { readonly type: "exited"; readonly code: number; readonly output: string }
  | { readonly type: "killed"; readonly signal: string; readonly output: string }
  | { readonly type: "timed-out" | "aborted"; readonly output: string }
  | { readonly type: "not-started"; readonly reason: string };

const usualTimeoutMs = 10 * 60 * 1000;

/** How long output is waited for that another process, left running on purpose, may still write. */
const drainMs = 500;

/**
 * Runs a command without a shell and without input, and returns how it ended and what is kept of its output.
 *
 * It is the first of a process group of its own, so that a time-out or an abort ends all that it has started. What it
 * leaves running when it ends by itself is left alone.
 */
export async function runCommand(command: Command, place: CommandPlace): Promise<CommandEnd> {
  const { cwd, timeoutMs = usualTimeoutMs, signal, output = new OutputTail() } = place;
  if (signal?.aborted === true) return { type: "aborted", output: "" };
  const [program, ...args] = command;
  const env = withoutRepository(place.env);
  if (!existsSync(cwd)) return { type: "not-started", reason: `The folder ${cwd} does not exist any more.` };
  const started = start(program, () =>
    underUserUmask(() =>
      spawn(program, args, {
        cwd,
        env,
        detached: true,
        windowsHide: true,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    ),
  );
  if ("reason" in started) return { type: "not-started", reason: started.reason };
  const { child } = started;
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes: Buffer) => output.add(bytes));
  const ended = new Promise<CommandEnd>((resolve) => {
    child.once("error", (error) => resolve({ type: "not-started", reason: describeStart(program, error) }));
    child.once("exit", (code, name) => {
      void drain(child).then(() => resolve(toEnd(code, name, output.text)));
    });
  });
  const stop = new AbortController();
  const stopped = waitForStop(timeoutMs, signal, stop.signal);
  const first = await Promise.race([ended, stopped]);
  stop.abort();
  if (typeof first !== "string") return first;
  await endGroup(child);
  await ended;
  return { type: first, output: output.text };
}

/** Some failures of the system come at once, others as an event. */
function start(
  program: string,
  spawning: () => ChildProcess,
): { readonly child: ChildProcess } | { readonly reason: string } {
  try {
    return { child: spawning() };
  } catch (error) {
    return { reason: describeStart(program, error) };
  }
}

/** The words of the system are for programs. */
function describeStart(program: string, error: unknown): string {
  if (isSystemError(error, "ENOENT", "ENOTDIR")) return `The program ${program} was not found.`;
  if (isSystemError(error, "EACCES", "EPERM")) return `The program ${program} may not be run.`;
  const reason = error instanceof Error ? error.message : String(error);
  return `The program could not be started: ${reason}`;
}

function toEnd(code: number | null, signal: string | null, output: string): CommandEnd {
  return code === null
    ? { type: "killed", signal: signal ?? "an unknown signal", output }
    : { type: "exited", code, output };
}

/** Waits until all output is read, but not for long: who holds it open may be meant to stay. */
async function drain(child: ChildProcess): Promise<void> {
  const waiting = new AbortController();
  const closed = once(child, "close", { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([closed, sleep(drainMs, undefined, { signal: waiting.signal }).catch(() => undefined)]);
  waiting.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** Waits for the time-out or the abort, whichever comes first; never ends by itself once it is given up. */
async function waitForStop(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  givenUp: AbortSignal,
): Promise<"timed-out" | "aborted"> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve("timed-out"), timeoutMs);
    const abort = () => resolve("aborted");
    signal?.addEventListener("abort", abort, { once: true });
    givenUp.addEventListener("abort", () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
  });
}

function withoutRepository(env: CommandPlace["env"]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !repositoryVariables.includes(name)));
}
