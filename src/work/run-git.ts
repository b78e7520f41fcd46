import { spawn } from "node:child_process";
import { AppError } from "../lib/app-error.ts";

/** How git is run where a question is not enough: with bytes to read, another index, or the user's hooks. */
export interface GitRun {
  readonly cwd: string;
  /** The variables of whoever asked; nothing else is passed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it reads, a character for each byte. */
  readonly input?: string;
  /** Whether the user's own hooks run, as for what the user does by hand. */
  readonly withHooks?: boolean;
  /** Whether ssh, gpg and others may ask on the terminal; they fail at once where they may not. */
  readonly mayAsk?: boolean;
  /** How long it may take; ten minutes unless told. */
  readonly patienceMs?: number;
}

/** What git did. */
export interface GitResult {
  readonly code: number;
  /** A character for each byte: paths have no encoding. */
  readonly stdout: string;
  readonly stderr: string;
}

/** The code of a run that was ended because it took too long, as `timeout` has it. */
const timedOutCode = 124;

const usualPatienceMs = 600_000;

/** Runs git without a shell, and without the repository's watchers; its hooks only where they are wanted. */
export function runGit(run: GitRun, args: readonly string[]): Promise<GitResult> {
  const { cwd, env, input = "", withHooks = false, mayAsk = false, patienceMs = usualPatienceMs } = run;
  const safe = ["-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false"];
  const hooks = withHooks ? [] : ["-c", "core.hooksPath=/dev/null"];
  // Without a terminal of its own, whatever git starts has none to ask on.
  const isAlone = !mayAsk && process.platform !== "win32";
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...safe, ...hooks, "--no-optional-locks", ...args], {
      cwd,
      env: { ...env, ...(mayAsk ? {} : { GIT_TERMINAL_PROMPT: "0" }) },
      stdio: ["pipe", "pipe", "pipe"],
      detached: isAlone,
    });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      endGroup(child.pid, isAlone);
    }, patienceMs);
    child.on("error", (cause) => {
      clearTimeout(deadline);
      reject(gitNotRun(cause));
    });
    child.on("close", (code, signal) => {
      clearTimeout(deadline);
      const said = Buffer.concat(stderr).toString();
      const why = isLate ? `It took longer than ${patienceMs / 1000} seconds.\n` : describeSignal(signal);
      resolve({
        code: isLate ? timedOutCode : (code ?? 128),
        stdout: Buffer.concat(stdout).toString("latin1"),
        stderr: `${said}${why}`,
      });
    });
    // A git that ends before it has read everything says why with its code.
    child.stdin.on("error", () => child.stdin.destroy());
    child.stdin.end(Buffer.from(input, "latin1"));
  });
}

function endGroup(pid: number | undefined, isGroup: boolean): void {
  if (pid === undefined) return;
  process.kill(isGroup ? -pid : pid, "SIGTERM");
}

function describeSignal(signal: NodeJS.Signals | null): string {
  return signal === null ? "" : `Git was ended by ${signal}.\n`;
}

function gitNotRun(cause: Error): AppError {
  return new AppError(`Git could not be started: ${cause.message}.`, {
    kind: "io",
    code: "git-failed",
    hint: "Try again when fewer programs run, or with a higher limit of open files (`ulimit -n`).",
    cause,
  });
}
