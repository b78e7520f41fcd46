import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";

/** The variables of a git that has nobody's configuration. */
export const gitEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.invalid",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.invalid",
};

/** Runs git in a folder, with nobody's configuration. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd,
    env: gitEnv,
  });
  return stdout.trim();
}

/** Makes a repository on the branch main, with one commit per message. */
export async function makeRepo(path: string, messages: readonly string[]): Promise<void> {
  await mkdir(path, { recursive: true });
  await git(path, "init", "--quiet", "--initial-branch=main");
  for (const message of messages) await git(path, "commit", "--quiet", "--allow-empty", "--message", message);
}
