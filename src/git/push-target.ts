import type { Repository } from "./repository.ts";
import { type GitRun, runGit } from "./run-git.ts";

/** Where a branch is pushed to. */
export interface PushTarget {
  readonly remote: string;
  /** The branch on the remote. */
  readonly branch: string;
  /** Whether it is the branch that everybody works from. */
  readonly isDefault: boolean;
}

/** A branch of a remote. */
export type RemoteBranch = Omit<PushTarget, "isDefault">;

/**
 * Returns where a branch goes: to its upstream, or to the branch of its own name on the remote that is set, on origin,
 * or on the only one. An upstream of another name is where it came from, unless the user has said that pushes go there.
 */
export function findTarget(settings: GitSettings, branch: string): RemoteBranch | undefined {
  const upstream = findUpstream(settings, branch);
  const set = settings.get(`branch.${branch}.pushremote`) ?? settings.get("remote.pushdefault");
  const remote = set ?? upstream?.remote ?? findRemote(settings);
  if (remote === undefined) return undefined;
  const followsUpstream = pushModeOf(settings) === "upstream";
  return { remote, branch: followsUpstream && upstream?.remote === remote ? upstream.branch : branch };
}

/** Returns the branch of a remote that a branch follows. It may follow another one of the same repository too. */
export function findUpstream(settings: GitSettings, branch: string): RemoteBranch | undefined {
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
export function setsUpstream(settings: GitSettings, branch: string, target: RemoteBranch): boolean {
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
export function findTracking(settings: GitSettings, { remote, branch }: RemoteBranch): string | undefined {
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
export async function isDefaultBranch(
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
export async function readSettings(run: GitRun): Promise<GitSettings> {
  const { stdout } = await runGit(run, ["config", "--list", "-z"]);
  const values = new Map<string, string[]>();
  for (const line of Buffer.from(stdout, "latin1").toString().split("\0")) {
    const at = line.indexOf("\n");
    const [name, value] = at === -1 ? [line, "true"] : [line.slice(0, at), line.slice(at + 1)];
    if (name !== "") values.set(name, [...(values.get(name) ?? []), value]);
  }
  return new GitSettings(values);
}
