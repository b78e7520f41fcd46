import { execFile } from "node:child_process";

/** What git answered. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
}

/**
 * Asks git a question without a shell, without the repository's own hooks and watchers, and without prompts.
 *
 * Never throws for what git says: a question that has no answer has a code other than 0, as has a missing git.
 */
export function askGit(cwd: string, question: readonly string[]): Promise<GitAnswer> {
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks"];
  return new Promise((resolve) => {
    const options = { cwd, encoding: "utf8", timeout: 10_000, maxBuffer: 16 * 1024 * 1024 } as const;
    const child = execFile("git", [...safe, ...question], options, (error, stdout) => {
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 127, stdout });
    });
    child.stdin?.end();
  });
}
