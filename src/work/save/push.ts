import { hideSecrets } from "../../lib/redaction/hide-secrets.ts";
import { runGit } from "../run-git.ts";
import type { Repository } from "./repository.ts";

/** Where a branch is pushed to. */
export interface PushTarget {
  readonly remote: string;
  /** The branch on the remote. */
  readonly branch: string;
  /** Whether it is the branch that everybody works from. */
  readonly isDefault: boolean;
}

/** What became of a push. */
export type PushOutcome =
  | { readonly type: "pushed"; readonly target: PushTarget }
  | { readonly type: "no-branch" | "no-commit" | "no-remote" }
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

/** Pushes the branch that is checked out, with the user's hooks, and never by force. */
export async function pushBranch(repository: Repository, request: PushRequest): Promise<PushOutcome> {
  const { branch, head, mayPushToDefault } = request;
  if (branch === null) return { type: "no-branch" };
  if (head === undefined) return { type: "no-commit" };
  const target = await findTarget(repository, branch);
  if (target === undefined) return { type: "no-remote" };
  if (target.isDefault && !(await mayPushToDefault(target))) return { type: "not-allowed", target };
  const ref = `refs/heads/${branch}:refs/heads/${target.branch}`;
  const args = ["push", "--porcelain", "--", target.remote, ref];
  const run = { ...repository.run, withHooks: true, patienceMs };
  const { code, stdout, stderr } = await runGit(run, args);
  if (code === 0) return { type: "pushed", target };
  const said = `${stderr}${Buffer.from(stdout, "latin1").toString()}`;
  return { type: "failed", target, said: hideSecrets(said.trim()) };
}

/** Tells whether the branch that it follows has the commit that is checked out, as far as was last heard of it. */
export async function isOnRemote({ run }: Repository): Promise<boolean> {
  const { code, stdout } = await runGit(run, ["rev-list", "--count", "@{upstream}..HEAD", "--"]);
  return code === 0 && stdout.trim() === "0";
}

/**
 * Returns where a branch goes: to its upstream, or to the branch of its own name on the remote that is set, on origin,
 * or on the only one. An upstream of another name is where it came from, unless the user has said that pushes go there.
 */
async function findTarget(repository: Repository, branch: string): Promise<PushTarget | undefined> {
  const [upstream, pushRemote, pushDefault, mode] = await Promise.all([
    readUpstream(repository, branch),
    readSetting(repository, `branch.${branch}.pushRemote`),
    readSetting(repository, "remote.pushDefault"),
    readSetting(repository, "push.default"),
  ]);
  const remote = pushRemote ?? pushDefault ?? upstream?.remote ?? (await findRemote(repository));
  if (remote === undefined) return undefined;
  const followsUpstream = mode === "upstream" || mode === "tracking";
  const name = followsUpstream && upstream?.remote === remote ? upstream.branch : branch;
  return { remote, branch: name, isDefault: await isDefaultBranch(repository, remote, name) };
}

async function readUpstream({ run }: Repository, branch: string) {
  const format = "--format=%(upstream:remotename)%00%(upstream:remoteref)";
  const { stdout } = await runGit(run, ["for-each-ref", format, `refs/heads/${branch}`]);
  const [remote = "", ref = ""] = toText(stdout).split("\0");
  // A branch may follow another one of the same repository.
  if (remote === "" || remote === ".") return undefined;
  return { remote, branch: ref.replace(/^refs\/heads\//, "") };
}

async function readSetting({ run }: Repository, name: string): Promise<string | undefined> {
  const { code, stdout } = await runGit(run, ["config", "--get", name]);
  return code === 0 ? toText(stdout) : undefined;
}

async function findRemote({ run }: Repository): Promise<string | undefined> {
  const remotes = toText((await runGit(run, ["remote"])).stdout).split("\n");
  if (remotes.includes("origin")) return "origin";
  return remotes.length === 1 && remotes[0] !== "" ? remotes[0] : undefined;
}

/** A remote that was never asked for its default branch is taken to have one of the usual names. */
async function isDefaultBranch(repository: Repository, remote: string, branch: string): Promise<boolean> {
  const head = `refs/remotes/${remote}/HEAD`;
  const { code, stdout } = await runGit(repository.run, ["symbolic-ref", "--quiet", head]);
  if (code === 0) return toText(stdout) === `refs/remotes/${remote}/${branch}`;
  const usual = await readSetting(repository, "init.defaultBranch");
  return ["main", "master", "trunk", usual].includes(branch);
}

function toText(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString().replace(/\n$/, "");
}
