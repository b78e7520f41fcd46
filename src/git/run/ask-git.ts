import type { ExecFileException } from "node:child_process";
import { type AppError, ioError, isSystemError } from "../../lib/app-error.ts";

/** What git answered. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
}

/** How long git may take for an answer. */
const patienceMs = 10_000;

/**
 * Asks git a question without a shell, without the repository's own hooks and watchers, and without prompts.
 *
 * Never throws for what git says: a question that has no answer has a code other than 0, as has a missing git. Throws
 * when git is there and the system cannot start it, or it is ended before its answer: a repository would be taken for a
 * plain folder.
 */
export function askGit(cwd: string, question: readonly string[]): Promise<GitAnswer> {
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];
  return new Promise((resolve, reject) => {
    const options = { cwd, encoding: "utf8", timeout: patienceMs, maxBuffer: 64 * 1024 * 1024 } as const;
    try {
      // Loaded here, because much is known without asking.
      const { execFile } = process.getBuiltinModule("node:child_process");
      const child = execFile("git", [...safe, ...question], options, (error, stdout) => {
        if (hasAnswered(error)) resolve({ code: toCode(error), stdout });
        else reject(gitFailed(error));
      });
      child.stdin?.end();
    } catch (error) {
      // Some errors of the system come at once.
      if (isNoAnswer(error)) resolve({ code: 127, stdout: "" });
      else reject(gitFailed(error));
    }
  });
}

/** A git that is missing or may not be run counts as one that has no answer, and so does a folder that is gone. */
function isNoAnswer(error: unknown): boolean {
  return isSystemError(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM");
}

function hasAnswered(error: ExecFileException | null): boolean {
  if (error === null) return true;
  if ("syscall" in error) return isNoAnswer(error);
  return error.killed !== true && (error.signal ?? null) === null;
}

function toCode(error: ExecFileException | null): number {
  return error === null ? 0 : typeof error.code === "number" ? error.code : 127;
}

function gitFailed(cause: unknown): AppError {
  return ioError("git-failed", `Git gave no answer, so that the project is not known: ${describe(cause)}.`, {
    hint: "Try again when fewer programs run, or with a higher limit of open files (`ulimit -n`).",
    cause,
  });
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { killed, signal } = cause as ExecFileException;
  if (killed === true) return `it took longer than ${patienceMs / 1000} seconds`;
  return typeof signal === "string" ? `it was ended by ${signal}` : cause.message;
}
