import { type ExecFileException, execFile } from "node:child_process";
import { AppError, isSystemError } from "../lib/app-error.ts";

/** What git answered. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
}

/**
 * Asks git a question without a shell, without the repository's own hooks and watchers, and without prompts.
 *
 * Never throws for what git says: a question that has no answer has a code other than 0, as has a missing git. Throws
 * when git is there and the system cannot start it: a repository would be taken for a plain folder.
 */
export function askGit(cwd: string, question: readonly string[]): Promise<GitAnswer> {
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];
  return new Promise((resolve, reject) => {
    const options = { cwd, encoding: "utf8", timeout: 10_000, maxBuffer: 16 * 1024 * 1024 } as const;
    try {
      const child = execFile("git", [...safe, ...question], options, (error, stdout) => {
        if (hasStarted(error)) resolve({ code: toCode(error), stdout });
        else reject(notStarted(error));
      });
      child.stdin?.end();
    } catch (error) {
      // Some errors of the system come at once.
      reject(notStarted(error));
    }
  });
}

/** A git that is missing or may not be run counts as one that has no answer. */
function hasStarted(error: ExecFileException | null): boolean {
  return (
    error === null || !("syscall" in error) || isSystemError(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")
  );
}

function toCode(error: ExecFileException | null): number {
  return error === null ? 0 : typeof error.code === "number" ? error.code : 127;
}

function notStarted(cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AppError(`Git could not be started, so that the project is not known: ${reason}.`, {
    kind: "io",
    code: "git-failed",
    hint: "Try again when fewer programs run, or with a higher limit of open files (`ulimit -n`).",
    cause,
  });
}
