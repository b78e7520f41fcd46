import type { Commit, SeenStatus, Source } from "../digest.ts";
import { clip } from "./clip.ts";

/** The part of a digest that git commands and their output tell. */
export interface GitFacts {
  readonly commits: readonly Commit[];
  readonly pushed: Source | null;
  readonly pullRequests: readonly string[];
  readonly status: SeenStatus | null;
}

const mostCommits = 40;
const mostFiles = 30;
const longestOutput = 20_000;

/** Adds the result of a shell command. Commands in a scratch folder do not count. */
export function followGit(facts: GitFacts, command: string, output: string, source: Source): GitFacts {
  if (!/\bg(?:it|h)\b/.test(command) || /\bcd \/tmp\b/.test(command)) return facts;
  const text = output.slice(0, longestOutput);
  return {
    commits: followCommits(facts.commits, command, text, source),
    pushed: /\bgit\b[^|;&]*\bpush\b/.test(command) && isPushed(text) ? source : facts.pushed,
    pullRequests: /\bgh pr (?:create|view|edit|ready)\b/.test(command)
      ? [...new Set([...facts.pullRequests, ...(text.match(pullRequest) ?? [])])].slice(-3)
      : facts.pullRequests,
    status: /\bgit status\b/.test(command) ? (readStatus(text, source) ?? facts.status) : facts.status,
  };
}

const pullRequest = /https:\/\/[\w.-]+\/[\w.-]+\/[\w./-]+\/(?:pull|merge_requests)\/\d+/g;

function isPushed(output: string): boolean {
  return (
    /->|up-to-date|set up to track/.test(output) &&
    !/\[(?:remote )?rejected\]|^error: failed to push/m.test(output)
  );
}

function followCommits(
  commits: readonly Commit[],
  command: string,
  output: string,
  source: Source,
): readonly Commit[] {
  const made = [...output.matchAll(/^\[(\S+)(?: \(root-commit\))? ([0-9a-f]{7,12})\] (.+)$/gm)];
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

/** Reads long and short forms of `git status`. */
function readStatus(output: string, source: Source): SeenStatus | undefined {
  if (/working tree clean/.test(output)) return { ...source, isClean: true, changed: [] };
  const long = [...output.matchAll(/^\s*(?:modified|new file|deleted|renamed|both modified):\s+(\S.*)$/gm)];
  const short = [...output.matchAll(/^(?:[ MADRCU?]{2}) (\S.*)$/gm)];
  const changed = [...long, ...short].map(([, path = ""]) => path).slice(0, mostFiles);
  return changed.length === 0 ? undefined : { ...source, isClean: false, changed };
}
