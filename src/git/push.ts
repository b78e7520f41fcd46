import { hideSecrets } from "../redaction/hide-secrets.ts";
import type { GitRun } from "./git-run.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run/run-git.ts";

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

/** Where a branch is pushed to. */
export interface PushTarget {
  readonly remote: string;
  /** The branch on the remote. */
  readonly branch: string;
  /** Whether it is the branch that everybody works from. */
  readonly isDefault: boolean;
}

/** A branch of a remote. */
type RemoteBranch = Omit<PushTarget, "isDefault">;

/**
 * Returns where a branch goes: to its upstream, or to the branch of its own name on the remote that is set, on origin,
 * or on the only one. An upstream of another name is where it came from, unless the user has said that pushes go there.
 */
function findTarget(settings: GitSettings, branch: string): RemoteBranch | undefined {
  const upstream = findUpstream(settings, branch);
  const set = settings.get(`branch.${branch}.pushremote`) ?? settings.get("remote.pushdefault");
  const remote = set ?? upstream?.remote ?? findRemote(settings);
  if (remote === undefined) return undefined;
  const followsUpstream = pushModeOf(settings) === "upstream";
  return { remote, branch: followsUpstream && upstream?.remote === remote ? upstream.branch : branch };
}

/** Returns the branch of a remote that a branch follows. It may follow another one of the same repository too. */
function findUpstream(settings: GitSettings, branch: string): RemoteBranch | undefined {
  const [remote, ref] = [settings.get(`branch.${branch}.remote`), settings.get(`branch.${branch}.merge`)];
  if (remote === undefined || ref === undefined || remote === ".") return undefined;
  return { remote, branch: ref.replace(/^refs\/heads\//, "") };
}

function findRemote(settings: GitSettings): string | undefined {
  const remotes = settings.namesOf("remote", "url");
  if (remotes.includes("origin")) return "origin";
  return remotes.length === 1 ? remotes[0] : undefined;
}

function pushModeOf(settings: GitSettings): string {
  const mode = settings.get("push.default") ?? "simple";
  return mode === "tracking" ? "upstream" : mode;
}

/**
 * Tells whether a push is to make a branch follow where it goes, as git decides for `git push` alone.
 *
 * A branch that follows anything goes on to do so. With `push.autoSetupRemote` git sets it up by itself, and without
 * refuses the push and asks for `--set-upstream`; where it does neither, because pushes go their own way, nor do we.
 */
function setsUpstream(settings: GitSettings, branch: string, target: RemoteBranch): boolean {
  const follows = settings.get(`branch.${branch}.remote`);
  if (settings.get(`branch.${branch}.merge`) !== undefined || target.branch !== branch) return false;
  if (follows !== undefined && follows !== target.remote) return false;
  if (!settings.namesOf("remote", "url").includes(target.remote)) return false;
  const isElsewhere = target.remote !== (follows ?? findRemote(settings));
  const mode = pushModeOf(settings);
  const isAutomatic = settings.isOn("push.autosetupremote");
  if (isAutomatic === true)
    return mode === "simple" || mode === "current" || (mode === "upstream" && !isElsewhere);
  return isAutomatic === undefined && !isElsewhere && (mode === "simple" || mode === "upstream");
}

/** Returns the ref that keeps what was last heard of a branch of a remote; undefined where it is not fetched. */
function findTracking(settings: GitSettings, { remote, branch }: RemoteBranch): string | undefined {
  const ref = `refs/heads/${branch}`;
  const specs = settings.all(`remote.${remote}.fetch`);
  const isLeftOut = specs.some((spec) => spec.startsWith("^") && matchRef(spec.slice(1), ref) !== undefined);
  if (isLeftOut) return undefined;
  for (const spec of specs) {
    const [from = "", to = ""] = spec.replace(/^\+/, "").split(":");
    const matched = matchRef(from, ref);
    if (matched !== undefined && to !== "") return to.replace("*", () => matched);
  }
  return undefined;
}

/** Returns what the star of a pattern stands for; undefined where a ref does not match. */
function matchRef(pattern: string, ref: string): string | undefined {
  const [start = "", end] = pattern.split("*");
  if (end === undefined) return ref === start ? "" : undefined;
  const fits = ref.startsWith(start) && ref.endsWith(end) && ref.length >= start.length + end.length;
  return fits ? ref.slice(start.length, ref.length - end.length) : undefined;
}

/** A remote that was never asked for its default branch is taken to have one of the usual names. */
async function isDefaultBranch(
  { run }: Repository,
  settings: GitSettings,
  { remote, branch }: RemoteBranch,
): Promise<boolean> {
  const head = `refs/remotes/${remote}/HEAD`;
  const { code, stdout } = await runGit(run, ["symbolic-ref", "--quiet", head]);
  if (code === 0)
    return Buffer.from(stdout, "latin1").toString().trimEnd() === `refs/remotes/${remote}/${branch}`;
  return ["main", "master", "trunk", settings.get("init.defaultbranch")].includes(branch);
}

/** What git is set to in a repository, from all of its files. */
class GitSettings {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** Returns the value that counts: the last one. Section and key are in small letters. */
  get(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  /** Returns all values of a setting that may have several. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Returns a setting that is on or off; undefined where nobody has set it. A name alone means on. */
  isOn(name: string): boolean | undefined {
    const value = this.get(name)?.toLowerCase();
    return value === undefined ? undefined : !["false", "no", "off", "0", ""].includes(value);
  }

  /** Returns the names that sections of a kind have, such as those of the remotes, in their order. */
  namesOf(section: string, key: string): readonly string[] {
    const [start, end] = [`${section}.`, `.${key}`];
    const names = [...this.#values.keys()].filter((name) => name.startsWith(start) && name.endsWith(end));
    return names.map((name) => name.slice(start.length, -end.length)).filter((name) => name !== "");
  }
}

/** Reads all settings with one question. */
async function readSettings(run: GitRun): Promise<GitSettings> {
  const { stdout } = await runGit(run, ["config", "--list", "-z"]);
  const values = new Map<string, string[]>();
  for (const line of Buffer.from(stdout, "latin1").toString().split("\0")) {
    const at = line.indexOf("\n");
    const [name, value] = at === -1 ? [line, "true"] : [line.slice(0, at), line.slice(at + 1)];
    if (name !== "") values.set(name, [...(values.get(name) ?? []), value]);
  }
  return new GitSettings(values);
}
