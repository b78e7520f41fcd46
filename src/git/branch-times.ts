import { join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import { readGitFacts } from "./git-facts.ts";
import { readSmall } from "./git-place.ts";
import { askGit } from "./run/ask-git.ts";

/** A time at which another branch or commit was checked out. */
export interface Move {
  readonly at: Date;
  readonly from: string;
  readonly to: string;
  /** Whether both were the same commit, so that no file changed. */
  readonly isSameCommit: boolean;
}

/** More moves than are made in the time that anybody asks for. */
const mostEntries = 1000;
/** Of a larger one git reads only the end. */
const largestLog = 1 << 20;

/** Returns a test of moments: whether what was done then, in this work tree, was done on what is checked out now. */
export async function readTimesOnBranch(root: string): Promise<(at: Date) => boolean> {
  const folder = (await readGitFacts(root))?.files?.gitFolder;
  const log = folder === undefined ? undefined : readLog(join(folder, "logs", "HEAD"));
  if (log !== undefined) return timesOnBranch(toMoves(parseLog(log)));
  const question = ["log", "--walk-reflogs", `-${mostEntries}`, "--date=raw", "--format=%H%x00%gd%x00%gs"];
  const { code, stdout } = await askGit(root, [...question, "HEAD", "--"]);
  return timesOnBranch(code === 0 ? toMoves(parseAnswer(stdout)) : []);
}

/** Undefined where only git can tell: it may keep its logs elsewhere. */
function readLog(path: string): string | undefined {
  try {
    return readSmall(path, largestLog)?.toString();
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR", "ELOOP", "EMLINK", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}

/** Something that git remembers of HEAD: the commit that it came to, when, and why. */
interface LogEntry {
  readonly commit: string;
  readonly seconds: string;
  readonly subject: string;
}

/** Reads the file in which git keeps it, the oldest first; returns the newest first, as git does. */
function parseLog(text: string): readonly LogEntry[] {
  const lines = text.trimEnd().split("\n").slice(-mostEntries).toReversed();
  return lines.flatMap((line) => {
    const [, commit, seconds, subject = ""] =
      /^[0-9a-f]+ ([0-9a-f]+) .*> (\d+) [+-]\d+(?:\t(.*))?$/.exec(line) ?? [];
    return commit === undefined || seconds === undefined ? [] : [{ commit, seconds, subject }];
  });
}

function parseAnswer(text: string): readonly LogEntry[] {
  return text.split("\n").flatMap((line) => {
    const [commit = "", selector = "", subject = ""] = line.split("\0");
    const [, seconds] = /@\{(\d+) /.exec(selector) ?? [];
    return seconds === undefined ? [] : [{ commit, seconds, subject }];
  });
}

/** Returns the moves among some entries, newest first. */
function toMoves(entries: readonly LogEntry[]): readonly Move[] {
  return entries.flatMap(({ commit, seconds, subject }, index) => {
    const [, from, to] = /^checkout: moving from (\S+) to (\S+)$/.exec(subject) ?? [];
    if (from === undefined || to === undefined) return [];
    const isSameCommit = entries[index + 1]?.commit === commit;
    return [{ at: new Date(Number(seconds) * 1000), from, to, isSameCommit }];
  });
}

/**
 * Returns a test of moments for some moves, newest first.
 *
 * A branch that was made where one stood goes on with the same files: what was done just before counts with it.
 */
export function timesOnBranch(moves: readonly Move[]): (at: Date) => boolean {
  const here = moves[0]?.to;
  let counts = true;
  const stretches = moves.map(({ at, from, isSameCommit }) => {
    const stretch = { begins: at, counts };
    counts = from === here || (isSameCommit && counts);
    return stretch;
  });
  const countsBefore = counts;
  return (at) => stretches.find(({ begins }) => begins <= at)?.counts ?? countsBefore;
}
