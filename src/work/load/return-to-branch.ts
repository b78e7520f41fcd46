import { hideSecrets } from "../../lib/redaction/hide-secrets.ts";
import { readOperation } from "../git-operation.ts";
import { readWorkTreeStatus } from "../git-status.ts";
import { type GitResult, runGit } from "../run-git.ts";
import type { Repository } from "../save/repository.ts";

/** Whether the work tree is where the work was saved, and what was done for it. */
export type Returned =
  | { readonly type: "there"; readonly forwarded: number }
  | { readonly type: "switched"; readonly branch: string; readonly forwarded: number }
  /** Nothing was touched. */
  | { readonly type: "left-alone"; readonly reason: string };

/** A wish to go back to where the work was saved. */
export interface ReturnRequest {
  /** What the state says: nobody has checked it. */
  readonly branch: string;
  /** Whether there is nothing in the work tree that is in no commit. */
  readonly isClean: boolean;
}

/**
 * Switches to the branch on which the work was saved, and lets it go forward to its upstream as that was last fetched.
 *
 * Only with a clean work tree, and only where git itself sees no file in danger: ignored files are not overwritten.
 * Nothing is merged, rebased, stashed or pushed.
 */
export async function returnToBranch(repository: Repository, request: ReturnRequest): Promise<Returned> {
  const operation = await readOperation(repository.gitFolder);
  if (operation !== undefined) return leave(`a ${operation} has to be finished first`);
  const { branch: now } = await readWorkTreeStatus(repository.run);
  if (!request.isClean) return leave("there are changes that are in no commit");
  if (now === request.branch) return { type: "there", forwarded: await goForward(repository) };
  if (!(await isBranch(repository, request.branch))) return leave("there is no such branch here");
  const switched = await runGit(repository.run, [
    "switch",
    "--quiet",
    "--no-overwrite-ignore",
    "--no-recurse-submodules",
    request.branch,
  ]);
  if (switched.code !== 0) return leave(lastLine(switched));
  return { type: "switched", branch: request.branch, forwarded: await goForward(repository) };
}

function leave(reason: string): Returned {
  return { type: "left-alone", reason };
}

/** Tells whether a name is that of a branch here, or of one that was fetched from origin. */
async function isBranch({ run }: Repository, name: string): Promise<boolean> {
  const isName = (await runGit(run, ["check-ref-format", `refs/heads/${name}`])).code === 0;
  if (!isName || name.startsWith("-")) return false;
  for (const ref of [`refs/heads/${name}`, `refs/remotes/origin/${name}`])
    if ((await runGit(run, ["show-ref", "--verify", "--quiet", ref])).code === 0) return true;
  return false;
}

/** Returns by how many commits the branch has gone forward. */
async function goForward({ run }: Repository): Promise<number> {
  const counted = await runGit(run, ["rev-list", "--left-right", "--count", "HEAD...@{upstream}", "--"]);
  const [ahead, behind] = counted.stdout.trim().split(/\s+/).map(Number);
  if (counted.code !== 0 || ahead !== 0 || behind === undefined || behind === 0) return 0;
  const args = ["merge", "--quiet", "--ff-only", "--no-overwrite-ignore", "--no-stat", "@{upstream}"];
  return (await runGit(run, args)).code === 0 ? behind : 0;
}

function lastLine({ stderr }: GitResult): string {
  return hideSecrets(stderr.trim().replace(/\s*\n\s*/g, " "));
}
