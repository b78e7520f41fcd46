import type { Repository } from "../../git/repository.ts";
import { type RoundName, toRoundRef } from "./round-ref.ts";
import { mustGit } from "./tree-git.ts";

/** What is known of the files of a round once they are a tree. */
export interface NewCommit {
  readonly tree: string;
  /** The commit that is checked out; undefined before the first. */
  readonly head: string | undefined;
  readonly branch: string | null;
}

/**
 * Makes the commit of a round and its ref as soon as its tree is there, and returns the name of the commit.
 *
 * Both processes are started at once, and wait for what they are to write: starting them takes longer than their work.
 * Without a tree they write nothing.
 */
export async function writeCommit(
  { run }: Repository,
  round: RoundName & { readonly at: Date },
  coming: Promise<NewCommit>,
): Promise<string> {
  const text = coming.then((commit) => renderCommit(round, commit));
  const made = mustGit(run, ["hash-object", "-t", "commit", "-w", "--stdin"], text).then((name) =>
    name.trim(),
  );
  const line = made.then((name) => `update ${toRoundRef(round)} ${name}\n`);
  const named = mustGit(run, ["-c", "core.logAllRefUpdates=false", "update-ref", "--stdin"], line);
  const [commit, ref] = await Promise.allSettled([made, named]);
  // Why there is no tree is what counts, and not that nothing could be made of it.
  await coming;
  if (commit.status === "rejected") throw commit.reason;
  if (ref.status === "rejected") throw ref.reason;
  return commit.value;
}

/** Nobody has made this commit by hand: it has no name of theirs, and needs none to be set. */
function renderCommit(
  { session, round, at }: RoundName & { readonly at: Date },
  { tree, head, branch }: NewCommit,
): string {
  const who = `Carryon <carryon@localhost> ${Math.floor(at.getTime() / 1000)} +0000`;
  const place = branch === null ? "a detached HEAD" : `branch ${branch}`;
  const lines = [
    `tree ${tree}`,
    ...(head === undefined ? [] : [`parent ${head}`]),
    ...[`author ${who}`, `committer ${who}`, ""],
    `Files after round ${round} of ${session}, on ${place}\n`,
  ];
  return Buffer.from(lines.join("\n")).toString("latin1");
}
