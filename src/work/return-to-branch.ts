import { findLostBranch, isBranch, type SavedPlace } from "../git/find-lost-branch.ts";
import { readCheckedOut } from "../git/git-facts.ts";
import { type Repository, readOperation } from "../git/repository.ts";
import { forwardToUpstream, switchTo } from "../git/switch-branch.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";

/** Whether the work tree is where the work was saved, and what was done for it. */
export type Returned =
  | ({ readonly type: "there" } & Forwarded)
  | ({ readonly type: "switched"; readonly branch: string } & Forwarded)
  /** Nothing was touched; the advice says what to do first. */
  | { readonly type: "left-alone"; readonly reason: string; readonly advice: string };

/** By how many commits the branch has gone forward, and what kept it from that. */
interface Forwarded {
  readonly forwarded: number;
  /** What git said; undefined where nothing stood in the way. */
  readonly hindrance?: string;
}

/** A wish to go back to where the work was saved. */
export interface ReturnRequest extends SavedPlace {
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
  if (operation !== undefined)
    return leave(`a ${operation} has to be finished first`, `Finish or abort the ${operation}`);
  if (!request.isClean)
    return leave("there are changes that are in no commit", "Commit or stash the changes with git");
  if ((await readCheckedOut(repository.root)).branch === request.branch)
    return { type: "there", ...(await goForward(repository)) };
  if (!(await isBranch(repository.run, request.branch))) return leaveWithout(repository, request);
  const hindrance = await switchTo(repository.run, request.branch);
  if (hindrance !== undefined) return leave(hideSecrets(hindrance), "Settle what git says");
  return { type: "switched", branch: request.branch, ...(await goForward(repository)) };
}

function leave(reason: string, first: string): Returned {
  return { type: "left-alone", reason, advice: `${first}, and run \`carryon load --resume\` again.` };
}

async function leaveWithout({ run }: Repository, saved: SavedPlace): Promise<Returned> {
  const command = await findLostBranch(run, saved);
  return leave(
    "there is no such branch here",
    command === undefined ? "Fetch it" : `Fetch it or bring it back with \`${command}\``,
  );
}

/** Says why nobody goes back to where there was no branch: commits that are made there are easily lost. */
export function stayOnBranch(commit: string | null): Returned {
  const isName = commit !== null && /^[0-9a-f]{4,64}$/.test(commit);
  const advice = isName
    ? `Go back with \`git switch --detach ${commit}\`, or go on here and save again.`
    : "Go on here and save again.";
  return { type: "left-alone", reason: "the work was saved on a detached HEAD", advice };
}

async function goForward({ run }: Repository): Promise<Forwarded> {
  const { hindrance, ...forwarded } = await forwardToUpstream(run);
  return hindrance === undefined ? forwarded : { ...forwarded, hindrance: hideSecrets(hindrance) };
}
