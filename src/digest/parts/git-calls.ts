import { resolve } from "node:path";
import { clip } from "../../lib/clip.ts";
import type { Commit, Digest, Push, SeenStatus, Source, UsedFile } from "../digest.ts";
import { isGenerated, useFile } from "./tool-roles.ts";

/** The part of a digest that git commands and their output tell. */
export type GitFacts = Pick<Digest, "commits" | "push" | "pullRequests" | "status" | "edited">;

const mostCommits = 40;
const mostFiles = 30;
const longestOutput = 20_000;

/** Adds the result of a shell command. Commands in another folder than the session's do not count. */
export function followGit(
  facts: GitFacts & Pick<Digest, "cwd">,
  { command, output, failed }: Ran,
  source: Source,
): GitFacts {
  const text = output.slice(0, longestOutput);
  if (!/\bg(?:it|h)\b/.test(command) || isElsewhere(command, facts.cwd) || isTrial(text, facts.cwd))
    return facts;
  const before = failed ? facts.commits : leaveOutUndone(facts.commits, command);
  const made = followCommits(before, { command, output: text, failed }, source);
  const commits = followMerges(made, command, text, source);
  return {
    commits: nameCommits(commits, command, text),
    edited:
      commits === before
        ? leaveOutDiscarded({ ...facts, commits }, failed ? "" : command)
        : addCreated(facts.edited, command, text, source),
    push: (pushes.test(command) ? readPush(text, source) : undefined) ?? facts.push,
    pullRequests: /\bgh pr (?:create|view|edit|ready)\b/.test(command)
      ? [...new Set([...facts.pullRequests, ...(text.match(pullRequest) ?? [])])].slice(-3)
      : facts.pullRequests,
    status: /\bgit status\b/.test(command) ? (readStatus(text, source) ?? facts.status) : facts.status,
  };
}

/** A command that ran, and what it printed. */
interface Ran {
  readonly command: string;
  readonly output: string;
  readonly failed: boolean;
}

/** Returns the subject of a commit that was told to print nothing. */
function quietSubject(command: string): string | undefined {
  const [, options = ""] = /\bgit\b[^|;&\n]*\bcommit\b([^|;&]*)/.exec(command) ?? [];
  const isQuiet = /\s(?:-[a-z]*q|--quiet)/.test(options);
  return isQuiet ? (messageIn(options) ?? "(no subject known)") : undefined;
}

const message =
  /\s(?:-\w*m|--message)[ =]?(?:'([^'\n]+)|"(?!\$\()([^"\n]+)|"\$\(cat <<\S+\s+([^\n]+)|(\w\S*))|\s(?:-\w*F|--file)[ =]?- <<\S+\s+([^\n]+)/;

/** Returns the first line of the message that the options of a commit or merge have. */
function messageIn(options: string): string | undefined {
  const found = message.exec(options)?.slice(1);
  return found && clip(found.find((each) => each !== undefined) ?? "", 160);
}

const undoes = /\bgit reset (?:-\S+ )*HEAD(?:~(\d*)|(\^+))/;

/** Leaves out the last commits that were taken back: what they had is not committed any more. */
function leaveOutUndone(commits: readonly Commit[], command: string): readonly Commit[] {
  const [, count, marks] = undoes.exec(command) ?? [];
  if (count === undefined && marks === undefined) return commits;
  return commits.slice(0, -(marks?.length ?? Number(count || 1)) || commits.length);
}

const discards =
  /\bgit (?:checkout|restore) (?!-[bB]\b|--staged|-S\b)([^|;&\n]+)|\bgit reset (?:\S+ )*--(hard)\b/;

/** Leaves out the files whose changes were thrown away before a commit. */
function leaveOutDiscarded({ edited, commits }: GitFacts, command: string): readonly UsedFile[] {
  const [, named = "", hard] = discards.exec(command) ?? [];
  const words = named.split(/\s+/).map((word) => word.replace(/^["']|["']$/g, ""));
  const isAll = hard !== undefined || words.includes(".");
  const since = commits.at(-1)?.seq ?? 0;
  return edited.filter(({ path, seq }) => seq < since || !(isAll || words.includes(path)));
}

/** Tells whether a command goes to a folder that neither is in the session's folder nor holds it. */
function isElsewhere(command: string, cwd: string): boolean {
  const named = /(?:\bcd|\bgit -C) ["']?([^\s"';&|$~-][^\s"';&|]*)/.exec(command)?.[1];
  if (named === undefined || cwd === "") return false;
  const folder = resolve(cwd, named);
  return !(`${folder}/`.startsWith(`${cwd}/`) || `${cwd}/`.startsWith(`${folder}/`));
}

/** Tells whether git has just made a repository in another folder: its commits are tried out, and no work here. */
function isTrial(output: string, cwd: string): boolean {
  const made = /^(?:Initialized empty|Reinitialized existing) Git repository in (.+?)\/\.git\/?$/m.exec(
    output,
  )?.[1];
  return made !== undefined && cwd !== "" && made !== cwd;
}

const pullRequest = /https:\/\/[\w.-]+\/[\w.-]+\/[\w./-]+\/(?:pull|merge_requests)\/\d+/g;

const pushes = /\bgit (?:-[cC] \S+ |-\S+ )*push\b(?![^|;&]*\s(?:--dry-run|-n)\b)/;

/** Git marks what was refused in any language, and says in words that it got nowhere. */
const refusals = [
  /^ ! \[[^\]]+\] .*\((.+)\)$/m,
  /^fatal: (?=.*(?:remote|upstream|origin|push|repository '|access|Authentication|could not read|host|current branch|on a branch))(.+)$/m,
  /^(?:error: )?(failed to push some refs)\b/m,
];

function readPush(output: string, source: Source): Push | undefined {
  const refused = refusals.map((each) => each.exec(output)?.[1]).find((reason) => reason !== undefined);
  if (refused !== undefined) return { ...source, refused: clip(refused, 100) };
  // A tag takes no branch with it.
  return /^(?!.*\[new tag\]).*->|up-to-date|set up to track/m.test(output) ? source : undefined;
}

function followCommits(
  commits: readonly Commit[],
  { command, output, failed }: Ran,
  source: Source,
): readonly Commit[] {
  const made = [...output.matchAll(/^\[(detached HEAD|\S+)(?: \(root-commit\))? ([0-9a-f]{7,12})\] (.+)$/gm)];
  const quiet = made.length === 0 && !failed ? quietSubject(command) : undefined;
  if (quiet !== undefined) return [...commits, { ...source, sha: "", branch: "", subject: quiet }];
  if (made.length === 0) return commits;
  const before = /\s--amend\b/.test(command) ? commits.slice(0, -1) : commits;
  const added = made.map(([, branch = "", sha = "", subject = ""]) => ({
    ...source,
    sha,
    branch,
    subject: clip(subject, 160),
  }));
  return [...before, ...added].slice(-mostCommits);
}

const joins = /\bgit\b[^|;&]*\b(?:merge|pull)\b/;
const merged = /\bgit\b[^|;&]*\bmerge\s+(?:-\S+\s+)*([^\s|;&-][^\s|;&]*)/;

/** Adds the commit that a merge or pull made or moved to. Git names the new commit of a fast-forward alone. */
function followMerges(commits: readonly Commit[], command: string, output: string, source: Source) {
  if (!joins.test(command)) return commits;
  const [, sha = ""] = /^Updating [0-9a-f]{7,40}\.\.([0-9a-f]{7,40})\nFast-forward/m.exec(output) ?? [];
  // To bring a branch up to date before any work is no commit of the session.
  if (sha === "" ? !/^Merge made by /m.test(output) : commits.length === 0) return commits;
  const name = merged.exec(command)?.[1];
  const usual = name === undefined ? "Merge of the pulled commits" : `Merge branch '${clip(name, 100)}'`;
  const subject = messageIn(/\bmerge\b([^|;&]*)/.exec(command)?.[1] ?? "") ?? usual;
  const branch = commits.at(-1)?.branch ?? "";
  return [...commits, { ...source, sha, branch, subject, isMerge: true as const }].slice(-mostCommits);
}

/** Gives commits the names that a later `git log`, `rev-parse` or `push` shows: a rebase changes them all. */
function nameCommits(commits: readonly Commit[], command: string, output: string): readonly Commit[] {
  if (commits.length === 0 || !/\bgit\b[^|;&]*\b(?:log|rev-parse|push)\b/.test(command)) return commits;
  const logged = [...output.matchAll(/^[*|\\/ ]{0,20}([0-9a-f]{7,40}) (?:\([^)\n]*\) )?(\S.*)$/gm)];
  const bySubject = new Map(
    logged.map(([, sha = "", subject = ""]) => [clip(subject, 160), sha.slice(0, 12)]),
  );
  return commits.map((each) => {
    const sha = bySubject.get(each.subject) ?? each.sha;
    const subject = logged.find(([, name = ""]) => sha !== "" && name.startsWith(sha))?.[2];
    return {
      ...each,
      sha,
      subject: each.isMerge && subject !== undefined ? clip(subject, 160) : each.subject,
    };
  });
}

/** Adds the files that a commit created and no tool was seen to write. */
function addCreated(edited: readonly UsedFile[], command: string, output: string, source: Source) {
  if (joins.test(command)) return edited;
  const known = new Set(edited.map(({ path }) => path));
  const made = [...output.matchAll(/^ create mode \d{6} (\S.*)$/gm)].map(([, path = ""]) => path);
  const added = made.filter((path) => !known.has(path) && !isGenerated(path)).slice(0, mostFiles);
  return added.reduce((files, path) => useFile(files, path, source), edited);
}

/** Reads long and short forms of `git status`. */
function readStatus(output: string, source: Source): SeenStatus | undefined {
  if (/working tree clean/.test(output)) return { ...source, isClean: true, changed: [] };
  const long = [...output.matchAll(/^\s*(?:modified|new file|deleted|renamed|both modified):\s+(\S.*)$/gm)];
  const short = [...output.matchAll(/^(?:[ MADRCU?]{2}) (\S.*)$/gm)];
  const changed = [...long, ...short].map(([, path = ""]) => path).slice(0, mostFiles);
  return changed.length === 0 ? undefined : { ...source, isClean: false, changed };
}
