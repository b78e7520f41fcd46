import { AppError } from "../lib/app-error.ts";
import type { GitPath } from "./git-path.ts";
import { type GitResult, type GitRun, gitIn } from "./git-run.ts";
import { runGit } from "./run/run-git.ts";

/** Who asks: the variables that count, and what ends git. */
type Asker = Pick<GitRun, "env" | "signal">;

/** The files and the repositories inside a folder, by their paths from it. */
export interface ListedFiles {
  readonly files: readonly string[];
  readonly repositories: readonly string[];
}

/** Returns what git knows or does not ignore in a folder; undefined where git is not to be asked, or ignores the folder itself. */
export async function listKnown(folder: string, asker: Asker): Promise<ListedFiles | undefined> {
  const [known, others] = await Promise.all([
    askIn(folder, asker, ["ls-files", "-z", "--cached", "--stage"]),
    askIn(folder, asker, ["ls-files", "-z", "--others", "--exclude-standard"]),
  ]);
  if (known?.code !== 0 || others?.code !== 0) return undefined;
  const found = [...parsePaths(known.stdout).map(parseStaged), ...parsePaths(others.stdout).map(parseOther)];
  const isIgnored = async () => (await askIn(folder, asker, ["check-ignore", "-q", "."]))?.code === 0;
  if (found.length === 0 && (await isIgnored())) return undefined;
  const pathsOf = (type: Found["type"]) => [
    ...new Set(found.filter((each) => each.type === type).map(({ path }) => path)),
  ];
  return { files: pathsOf("file"), repositories: pathsOf("repository") };
}

/** Returns which names in a folder git ignores; none where there is no repository, or the folder itself is ignored. */
export async function findIgnored(
  folder: string,
  asker: Asker,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const input = [".", ...names].map((name) => `${Buffer.from(name).toString("latin1")}\0`).join("");
  const answer = await askIn(folder, asker, ["check-ignore", "-z", "--stdin"], input);
  if (answer?.code !== 0) return new Set();
  const ignored = new Set(parsePaths(answer.stdout));
  return ignored.has(".") ? new Set() : ignored;
}

/** Lists the files that git does not track and does not ignore; a folder that is a repository ends with a slash. */
export function listUntracked(run: GitRun): Promise<GitResult> {
  return runGit(run, ["ls-files", "--others", "--exclude-standard", "-z"]);
}

/**
 * Lists the files that git does not show although what is written to them counts: those of `update-index --assume-unchanged`
 * and `--skip-worktree`, and the lists of what is ignored that are ignored themselves, since what is written beside them is
 * not shown either.
 */
export async function listHidden(run: GitRun): Promise<readonly GitPath[]> {
  const [tracked, ignored] = await Promise.all([
    list(run, ["-v"]),
    list(run, ["-o", "-i", "--exclude-standard", "--directory", "--", ":(glob)**/.gitignore"]),
  ]);
  return [
    ...tracked.flatMap((line) => (/^[a-zS] /.test(line) ? [line.slice(2) as GitPath] : [])),
    ...(ignored as readonly GitPath[]).filter((path) => path.endsWith(".gitignore") && !cached.test(path)),
  ];
}

/** Folders that tools fill with what they can make again, and have git ignore by a list inside. */
const cached =
  /(?:^|\/)(?:\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.tox|\.nox|\.venv|venv)\/\.gitignore$/;

async function list(run: GitRun, args: readonly string[]): Promise<readonly string[]> {
  const { code, stdout } = await runGit(run, ["ls-files", "-z", ...args]);
  // Whatever is wrong with the index, the comparison with it says so.
  return code === 0 ? stdout.split("\0") : [];
}

/** How long git may take for an answer. */
const patienceMs = 20_000;

/** Asks git about a folder; undefined where there is no git to ask. */
async function askIn(
  folder: string,
  { env, signal }: Asker,
  question: readonly string[],
  input = "",
): Promise<GitResult | undefined> {
  try {
    return await runGit({ ...gitIn(folder, env), input, signal, patienceMs }, question);
  } catch (error) {
    if (error instanceof AppError && error.code === "git-failed") return undefined;
    throw error;
  }
}

interface Found {
  readonly type: "file" | "repository";
  readonly path: string;
}

function parsePaths(text: string): readonly string[] {
  return Buffer.from(text, "latin1").toString().split("\0").slice(0, -1);
}

/** A line is `mode hash stage`, a tab and the path; a submodule has a mode of its own. */
function parseStaged(line: string): Found {
  const path = line.slice(line.indexOf("\t") + 1);
  return { type: line.startsWith("160000") ? "repository" : "file", path };
}

function parseOther(path: string): Found {
  return path.endsWith("/") ? { type: "repository", path: path.slice(0, -1) } : { type: "file", path };
}
