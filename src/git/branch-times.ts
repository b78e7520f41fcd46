import { askGit } from "./git.ts";

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

/** Returns a test of moments: whether what was done then, in this work tree, was done on what is checked out now. */
export async function readTimesOnBranch(root: string): Promise<(at: Date) => boolean> {
  const question = ["log", "--walk-reflogs", `-${mostEntries}`, "--date=raw", "--format=%H%x00%gd%x00%gs"];
  const { code, stdout } = await askGit(root, [...question, "HEAD", "--"]);
  return timesOnBranch(code === 0 ? parseMoves(stdout) : []);
}

/** Reads the moves from what git remembers of HEAD, newest first. */
function parseMoves(text: string): readonly Move[] {
  const entries = text.split("\n").map((line) => line.split("\0"));
  return entries.flatMap(([commit, selector = "", subject = ""], index) => {
    const [, from, to] = /^checkout: moving from (\S+) to (\S+)$/.exec(subject) ?? [];
    const [, seconds] = /@\{(\d+) /.exec(selector) ?? [];
    if (from === undefined || to === undefined || seconds === undefined) return [];
    const isSameCommit = entries[index + 1]?.[0] === commit;
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
