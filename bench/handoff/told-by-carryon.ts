import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRepository } from "../work-folder.ts";
import type { Source } from "./case.ts";
import type { Change, Talk } from "./transcript.ts";

/** A session as it was handed over, and the empty folder to lay it out in. */
export interface Handed {
  readonly source: Source;
  readonly lines: readonly string[];
  readonly talk: Talk;
  readonly folder: string;
}

/** Returns the brief of a session for each budget of tokens, from a home that knows nothing but this session. */
export function briefs(handed: Handed, budgets: readonly number[]): ReadonlyMap<number, string> {
  const repository = layOutRepository(handed);
  layOutTranscript(handed, repository);
  carryon(handed, repository, ["import", "claude-code"]);
  return new Map(
    budgets.map((budget) => {
      const text = carryon(handed, repository, ["brief", "--budget", String(budget)]);
      return [budget, text.replaceAll(`${repository}/`, "")];
    }),
  );
}

function homeOf({ folder }: Handed): string {
  return join(folder, "home");
}

function carryon(handed: Handed, cwd: string, args: readonly string[]): string {
  const { folder } = handed;
  mkdirSync(join(folder, "tmp"), { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME: homeOf(handed),
    TMPDIR: join(folder, "tmp"),
    CARRYON_HOME: join(folder, "carryon"),
    NO_COLOR: "1",
  };
  return run(process.execPath, [inRepository("bin", "carryon.cjs"), ...args], cwd, env);
}

function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): string {
  return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 28 });
}

/** Makes a repository on the branch of the session with its commits, and its edited files as stubs. */
function layOutRepository(handed: Handed): string {
  const { source, talk, folder } = handed;
  const repository = join(folder, "repo");
  for (const each of [repository, homeOf(handed)]) mkdirSync(each, { recursive: true });
  git(handed, talk.first, ["init", "-q", "-b", "main"]);
  writeFileSync(join(repository, "README.md"), `${source.project}\n`);
  commit(handed, talk.first, "start");
  const { branch = "main" } = talk;
  if (branch !== "main" && branch !== "HEAD") git(handed, talk.first, ["checkout", "-q", "-b", branch]);
  inOrder(talk.changes).forEach((change, at) => {
    if (change.kind === "commit") commit(handed, change.at, change.subject);
    else if (change.kind === "discard") discard(handed, change.file, change.at);
    else touch(change.file, source.cwd, repository, `edit ${at}\n`);
  });
  return repository;
}

function commit(handed: Handed, at: string, subject: string): void {
  git(handed, at, ["add", "-A"]);
  git(handed, at, ["commit", "-q", "--allow-empty", "-m", subject]);
}

/** What happened at one time is told as edits first, then commits. */
function inOrder(changes: readonly Change[]): readonly Change[] {
  const edits = changes.filter(({ kind }) => kind !== "commit");
  const commits = changes.filter(({ kind }) => kind === "commit");
  return [...edits, ...commits].toSorted((one, other) => compareTexts(one.at, other.at));
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function touch(file: string, cwd: string, repository: string, line: string): void {
  if (!file.startsWith(`${cwd}/`)) return;
  const path = join(repository, file.slice(cwd.length + 1));
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, line);
}

/** Makes a file what it was when it was committed last. */
function discard(handed: Handed, file: string, at: string): void {
  git(handed, at, ["stash", "push", "--quiet", "--include-untracked", "--", file]);
}

const identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false"];

function git(handed: Handed, at: string, args: readonly string[]): void {
  const dates = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  const env = { PATH: process.env.PATH, HOME: homeOf(handed), ...dates };
  run("git", [...identity, ...args], join(handed.folder, "repo"), env);
}

/** Puts the transcript where the client would have it, as if the session had worked in the repository. */
function layOutTranscript(handed: Handed, repository: string): void {
  const { source, lines, talk } = handed;
  const folder = join(homeOf(handed), ".claude", "projects", repository.replaceAll(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${source.sessionId}.jsonl`);
  writeFileSync(file, `${lines.join("\n").replaceAll(source.cwd, repository)}\n`);
  const at = new Date(talk.last);
  utimesSync(file, at, at);
}
