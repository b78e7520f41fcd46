import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, mkdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { WireMessage } from "../model-server/anthropic/wire.ts";
import { tempDir } from "../temp-dir.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { installClient } from "./install-client.ts";
import { answerFirstQuestions, offlineVariables } from "./offline-claude.ts";

export interface ClaudeOptions {
  readonly version: string;
  /** The model that it talks to, and the only address that it is given. */
  readonly server: { readonly url: string };
  /** A home to share with another client or program; one of its own unless told. */
  readonly home?: string;
  /** The folder that it works in; an empty one unless told. */
  readonly cwd?: string;
  /** More variables for its environment, which is otherwise made up. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a run ended. */
export interface ClaudeRun {
  /** An exit code or the name of a signal. */
  readonly exit: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What the run says of itself where its output is JSON, as it is by default. */
  readonly result: ClaudeResult | undefined;
}

interface ClaudeResult {
  readonly session_id: string;
  readonly result: string;
  readonly is_error: boolean;
  readonly [field: string]: unknown;
}

/** A run that goes on. Killed with its scope. */
interface RunningClaude extends AsyncDisposable {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  ended(): Promise<ClaudeRun>;
}

/** One line of a transcript. */
export interface TranscriptRow {
  readonly type: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly message?: WireMessage;
  readonly [field: string]: unknown;
}

/** The real Claude Code, with a home of its own and a scripted model. */
export interface Claude extends AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  /** Runs `claude -p` to its end. Flags follow the prompt: `["--resume", id]`. */
  run(prompt: string, flags?: readonly string[]): Promise<ClaudeRun>;
  /** Starts `claude -p` to be killed. Let the model stall, not a tool: a command that a tool runs outlives a kill. */
  start(prompt: string, flags?: readonly string[]): RunningClaude;
  /** Starts it on a terminal and waits for its prompt. It asks before it uses a tool that no flag allows. */
  tui(flags?: readonly string[]): Promise<Terminal>;
  /** Returns where the transcript of a session is. Those of subagents are in the folder beside it. */
  locateTranscript(session: string): Promise<string>;
  readTranscript(session: string): Promise<readonly TranscriptRow[]>;
}

/** Makes a home and a folder for Claude Code, and installs the version if it is not there yet. */
export async function openClaude({ version, server, ...given }: ClaudeOptions): Promise<Claude> {
  const { program } = await installClient("claude-code", version);
  const dir = await tempDir();
  const home = given.home ?? dir.join("home");
  const cwd = given.cwd ?? dir.join("work");
  const TMPDIR = dir.join("tmp");
  for (const folder of [cwd, TMPDIR]) await mkdir(folder, { recursive: true });
  // Claude Code knows a folder by its real path.
  await answerFirstQuestions(home, await realpath(cwd));
  const env = { ...environment(server.url), HOME: home, TMPDIR, ...given.env };

  const start: Claude["start"] = (prompt, flags = []) => {
    const format = flags.includes("--output-format") ? [] : ["--output-format", "json"];
    return startClaude(program, ["-p", prompt, ...format, ...flags], { cwd, env });
  };
  const locateTranscript = async (session: string) => {
    const [path] = await Array.fromAsync(glob(join(home, ".claude/projects/*", `${session}.jsonl`)));
    if (path === undefined) throw new Error(`There is no transcript of ${session}.`);
    return path;
  };
  return {
    home,
    cwd,
    start,
    run: (prompt, flags) => start(prompt, flags).ended(),
    tui: async (flags = []) => {
      // Without it, the newer version would ask a model of its own which tools are harmless.
      const mode = ["--permission-mode", "default"];
      const terminal = await openTerminal([program, ...mode, ...flags], { cwd, env });
      await terminal.waitFor("❯");
      return terminal;
    },
    locateTranscript,
    readTranscript: async (session) => {
      const lines = (await readFile(await locateTranscript(session), "utf8")).trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line));
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** Nothing of the environment that the tests run in but the programs: it may be that of another Claude Code. */
function environment(url: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    // It would take whichever shell it finds first.
    SHELL: "/bin/bash",
    TERM: "xterm-256color",
    ...offlineVariables(url),
  };
}

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

function startClaude(program: string, args: readonly string[], place: Place): RunningClaude {
  // It would wait for its input if that were a pipe.
  const child = spawn(program, args, { ...place, stdio: ["ignore", "pipe", "pipe"] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started.`);
  const ending = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const ended = async () => {
    const [stdout, stderr] = await ending;
    return { exit: child.exitCode ?? child.signalCode, stdout, stderr, result: parseResult(stdout) };
  };
  return {
    pid,
    ended,
    kill: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ending;
    },
  };
}

function parseResult(stdout: string): ClaudeResult | undefined {
  try {
    return JSON.parse(stdout);
  } catch {
    // Another format was asked for, or it was killed before it could say anything.
    return undefined;
  }
}
