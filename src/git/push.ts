import { hideSecrets } from "../redaction/hide-secrets.ts";
import {
  findTarget,
  findTracking,
  findUpstream,
  isDefaultBranch,
  type PushTarget,
  readSettings,
  setsUpstream,
} from "./push-target.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run-git.ts";

/** Why there is nothing to push, or nowhere to push it to. */
interface Unpushable {
  readonly type: "no-repository" | "no-branch" | "no-commit" | "no-remote";
}

/** What became of a push. */
export type PushOutcome =
  /** Whether the branch follows the target from now on, as it did not before. */
  | { readonly type: "pushed"; readonly target: PushTarget; readonly isFollowed: boolean }
  | Unpushable
  /** It is the branch that everybody works from, and nobody has said yes. */
  | { readonly type: "not-allowed"; readonly target: PushTarget }
  | { readonly type: "failed"; readonly target: PushTarget; readonly said: string };

export interface PushRequest {
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  /** Undefined before the first commit. */
  readonly head: string | undefined;
  /** Is asked before anything goes to the default branch. */
  readonly mayPushToDefault: (target: PushTarget) => Promise<boolean>;
}

/** A network that does not answer. */
const patienceMs = 180_000;

/** Where a push goes, or why there is none. */
export type PushPlan =
  | {
      readonly type: "push";
      readonly branch: string;
      readonly target: PushTarget;
      /** Whether the branch follows the target from then on, as it does not yet. */
      readonly isFollowed: boolean;
    }
  | Unpushable;

/** Finds out where the branch that is checked out would go. Changes nothing, and asks no remote. */
export async function planPush(
  repository: Repository,
  { branch, head }: Pick<PushRequest, "branch" | "head">,
): Promise<PushPlan> {
  if (branch === null) return { type: "no-branch" };
  if (head === undefined) return { type: "no-commit" };
  const settings = await readSettings(repository.run);
  const place = findTarget(settings, branch);
  if (place === undefined) return { type: "no-remote" };
  const target = { ...place, isDefault: await isDefaultBranch(repository, settings, place) };
  return { type: "push", branch, target, isFollowed: setsUpstream(settings, branch, target) };
}

/** Pushes the branch that is checked out, with the user's hooks, and never by force. */
export async function pushBranch(repository: Repository, request: PushRequest): Promise<PushOutcome> {
  const plan = await planPush(repository, request);
  if (plan.type !== "push") return plan;
  const { branch, target, isFollowed } = plan;
  const { mayPushToDefault } = request;
  if (target.isDefault && !(await mayPushToDefault(target))) return { type: "not-allowed", target };
  const ref = `refs/heads/${branch}:refs/heads/${target.branch}`;
  const args = ["push", "--porcelain", ...(isFollowed ? ["--set-upstream"] : []), "--", target.remote, ref];
  const run = { ...repository.run, withHooks: true, patienceMs };
  const { code, stdout, stderr } = await runGit(run, args);
  if (code === 0) return { type: "pushed", target, isFollowed };
  const said = `${stderr}${Buffer.from(stdout, "latin1").toString()}`;
  return { type: "failed", target, said: hideSecrets(said.trim()) };
}

/**
 * Tells whether the branch that a branch follows, or the one that it is pushed to, has the commit that is checked out, as
 * far as was last heard of them.
 */
export async function isOnRemote({ run }: Repository, branch: string | null): Promise<boolean> {
  if (branch === null) return false;
  const settings = await readSettings(run);
  const places = [findUpstream(settings, branch), findTarget(settings, branch)];
  const refs = places.flatMap((place) => (place && findTracking(settings, place)) ?? []);
  if (refs.length === 0) return false;
  const question = ["for-each-ref", "--contains=HEAD", "--format=%(refname)", ...refs];
  const { code, stdout } = await runGit(run, question);
  const found = Buffer.from(stdout, "latin1").toString().split("\n");
  return code === 0 && refs.some((ref) => found.includes(ref));
}
