import { type GitResult, runGit } from "../git/run-git.ts";
import { AppError } from "../lib/app-error.ts";
import { repositoryVariables } from "../lib/repository-variables.ts";
import type { ToolSurroundings } from "./tool.ts";

/** How long git may take for an answer. */
const patienceMs = 20_000;

type Asker = Pick<ToolSurroundings, "env" | "signal">;

/** Asks git about a folder; undefined where there is no git to ask. Paths are given and answered a character for each byte. */
export async function askGitIn(
  cwd: string,
  { env, signal }: Asker,
  question: readonly string[],
  input = "",
): Promise<GitResult | undefined> {
  const asked = Object.entries(env).filter(([name]) => !repositoryVariables.includes(name));
  try {
    return await runGit({ cwd, env: Object.fromEntries(asked), input, signal, patienceMs }, question);
  } catch (error) {
    if (error instanceof AppError && error.code === "git-failed") return undefined;
    throw error;
  }
}

/** Returns which names in a folder git ignores; none where there is no repository, or the folder itself is ignored. */
export async function findIgnored(
  cwd: string,
  asker: Asker,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const input = [".", ...names].map((name) => `${Buffer.from(name).toString("latin1")}\0`).join("");
  const answer = await askGitIn(cwd, asker, ["check-ignore", "-z", "--stdin"], input);
  if (answer?.code !== 0) return new Set();
  const ignored = new Set(
    answer.stdout
      .split("\0")
      .slice(0, -1)
      .map((name) => Buffer.from(name, "latin1").toString()),
  );
  return ignored.has(".") ? new Set() : ignored;
}
