import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isOnRemote, pushBranch } from "../../src/git/push.ts";
import { openRepository } from "../../src/git/repository.ts";
import { git, gitEnv } from "../support/git-repo.ts";
import { hook, repoIn, tryGit, writeFiles } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const env = {
  ...gitEnv,
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "protocol.file.allow",
  GIT_CONFIG_VALUE_0: "always",
};

/** Makes a clone with a branch `feature` of one commit, and the bare repository that it came from. */
async function cloned(folder: string): Promise<{ readonly root: string; readonly remote: string }> {
  const origin = await repoIn(join(folder, "origin"));
  const [remote, root] = [join(folder, "remote.git"), join(folder, "clone")];
  await git(folder, "clone", "-q", "--bare", origin, remote);
  await git(folder, "clone", "-q", remote, root);
  await git(root, "checkout", "-qb", "feature");
  await writeFiles(root, { "c.txt": "c\n" });
  await git(root, "add", "-A");
  await git(root, "commit", "-qm", "second");
  return { root, remote };
}

async function push(root: string, { allowed = false } = {}) {
  const repository = await openRepository(root, env, { mayAsk: false });
  const branch = (await git(root, "branch", "--show-current")) || null;
  const head = await git(root, "rev-parse", "HEAD");
  return pushBranch(repository, { branch, head, mayPushToDefault: async () => allowed });
}

/** Returns what a branch follows, as git has written it down. */
async function upstreamOf(root: string, branch = "feature"): Promise<string> {
  const names = [`branch.${branch}.remote`, `branch.${branch}.merge`];
  const values = names.map((name) => git(root, "config", "--default", "none", "--get", name));
  return (await Promise.all(values)).join(" ");
}

describe("a push", () => {
  it("goes to the branch of the same name on origin, also where it came from another one", async () => {
    await using dir = await tempDir();
    const { root, remote } = await cloned(dir.path);
    await git(root, "branch", "-q", "--set-upstream-to=origin/main");
    const target = { remote: "origin", branch: "feature", isDefault: false };
    expect(await push(root)).toEqual({ type: "pushed", target, isFollowed: false });
    expect(await git(remote, "rev-parse", "feature")).toBe(await git(root, "rev-parse", "HEAD"));
    expect(await git(remote, "log", "-1", "--format=%s", "main")).toBe("first");
    expect(await push(root)).toEqual({ type: "pushed", target, isFollowed: false });
    expect(await upstreamOf(root)).toBe("origin refs/heads/main");
    expect(await isOnRemote(await openRepository(root, env, { mayAsk: false }), "feature")).toBe(true);
  });

  it("goes to an upstream of another name only where the user has said so", async () => {
    await using dir = await tempDir();
    const { root, remote } = await cloned(dir.path);
    await git(remote, "branch", "develop", "main");
    await git(root, "fetch", "-q");
    await git(root, "branch", "-q", "--set-upstream-to=origin/develop");
    await git(root, "config", "push.default", "upstream");
    expect(await push(root)).toEqual({
      type: "pushed",
      target: { remote: "origin", branch: "develop", isDefault: false },
      isFollowed: false,
    });
    expect(await isOnRemote(await openRepository(root, env, { mayAsk: false }), "feature")).toBe(true);
  });

  it("goes to the default branch only when somebody says yes", async () => {
    await using dir = await tempDir();
    const { root, remote } = await cloned(dir.path);
    await git(root, "checkout", "-q", "main");
    await git(root, "merge", "-q", "feature");
    const target = { remote: "origin", branch: "main", isDefault: true };
    expect(await push(root)).toEqual({ type: "not-allowed", target });
    expect(await git(remote, "log", "-1", "--format=%s", "main")).toBe("first");
    expect(await push(root, { allowed: true })).toEqual({ type: "pushed", target, isFollowed: false });
    expect(await git(remote, "log", "-1", "--format=%s", "main")).toBe("second");
  });

  it("takes a branch of a usual name for the default one where the remote was never asked", async () => {
    await using dir = await tempDir();
    const { root } = await cloned(dir.path);
    await git(root, "remote", "set-head", "origin", "--delete");
    await git(root, "checkout", "-q", "main");
    expect(await push(root)).toMatchObject({ type: "not-allowed" });
  });

  it("follows the remote that pushes are set to, and the only one there is", async () => {
    await using dir = await tempDir();
    const { root, remote } = await cloned(dir.path);
    await git(root, "remote", "rename", "origin", "upstream");
    expect(await push(root)).toMatchObject({ type: "pushed", target: { remote: "upstream" } });
    await git(dir.path, "clone", "-q", "--bare", remote, "mine.git");
    await git(root, "remote", "add", "mine", join(dir.path, "mine.git"));
    await git(root, "config", "remote.pushDefault", "mine");
    expect(await push(root)).toMatchObject({ type: "pushed", target: { remote: "mine" } });
  });

  it("never forces: a remote that has gone on refuses, and keeps what it has", async () => {
    await using dir = await tempDir();
    const { root, remote } = await cloned(dir.path);
    await git(root, "push", "-q", "origin", "feature");
    await git(root, "commit", "-q", "--amend", "-m", "other");
    const before = await git(remote, "rev-parse", "feature");
    expect(await push(root)).toMatchObject({ type: "failed", said: expect.stringContaining("rejected") });
    expect(await git(remote, "rev-parse", "feature")).toBe(before);
  });

  it("says what a hook says that refuses", async () => {
    await using dir = await tempDir();
    const { root } = await cloned(dir.path);
    await hook(root, "pre-push", "echo tests are red >&2; exit 1");
    expect(await push(root)).toMatchObject({
      type: "failed",
      said: expect.stringContaining("tests are red"),
    });
  });

  it("hides the password of an address that does not answer", async () => {
    await using dir = await tempDir();
    const { root } = await cloned(dir.path);
    await git(root, "remote", "set-url", "origin", "https://me:s3cretPassw0rd@127.0.0.1:1/it.git");
    const outcome = await push(root);
    expect(outcome).toMatchObject({ type: "failed" });
    expect(JSON.stringify(outcome)).not.toContain("s3cretPassw0rd");
  });

  it("has nowhere to go without a remote, and without a branch", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    expect(await push(root)).toEqual({ type: "no-remote" });
    await git(root, "checkout", "-q", "--detach");
    expect(await push(root)).toEqual({ type: "no-branch" });
  });
});

describe("a branch that follows nothing", () => {
  const own = "origin refs/heads/feature";
  const nothing = "none none";

  it.each([
    { settings: {}, follows: own },
    { settings: { "push.default": "simple", "push.autoSetupRemote": "true" }, follows: own },
    { settings: { "push.default": "current", "push.autoSetupRemote": "true" }, follows: own },
    { settings: { "push.default": "upstream", "push.autoSetupRemote": "true" }, follows: own },
    { settings: { "push.default": "upstream" }, follows: own },
    { settings: { "push.autoSetupRemote": "false" }, follows: nothing },
    { settings: { "push.default": "current" }, follows: nothing },
    { settings: { "push.default": "matching", "push.autoSetupRemote": "true" }, follows: nothing },
    { settings: { "push.default": "nothing" }, follows: nothing },
    { settings: { "remote.pushDefault": "mine" }, follows: nothing },
    {
      settings: { "remote.pushDefault": "mine", "push.autoSetupRemote": "true" },
      follows: "mine refs/heads/feature",
    },
    {
      settings: { "branch.feature.remote": "mine", "branch.feature.pushRemote": "origin" },
      follows: "mine none",
    },
    {
      settings: { "branch.feature.remote": ".", "branch.feature.merge": "refs/heads/main" },
      follows: ". refs/heads/main",
    },
  ])("follows $follows after it with $settings", async ({ settings, follows }) => {
    await using dir = await tempDir();
    const { root } = await cloned(dir.path);
    await git(dir.path, "init", "-q", "--bare", "mine.git");
    await git(root, "remote", "add", "mine", join(dir.path, "mine.git"));
    for (const [name, value] of Object.entries(settings)) await git(root, "config", name, value);
    const before = await upstreamOf(root);
    const isFollowed = follows !== before;
    expect(await push(root)).toMatchObject({ type: "pushed", isFollowed });
    expect(await upstreamOf(root)).toBe(follows);
    expect(await isOnRemote(await openRepository(root, env, { mayAsk: false }), "feature")).toBe(true);
  });

  it("does so where git itself would by `push.autoSetupRemote`", async () => {
    for (const mode of ["simple", "current", "upstream", "matching"])
      for (const remote of ["origin", "mine"]) {
        await using dir = await tempDir();
        const { root } = await cloned(dir.path);
        await git(dir.path, "init", "-q", "--bare", "mine.git");
        await git(root, "remote", "add", "mine", join(dir.path, "mine.git"));
        await git(root, "config", "push.default", mode);
        await git(root, "config", "push.autoSetupRemote", "true");
        await git(root, "config", "remote.pushDefault", remote);
        await git(root, "checkout", "-qb", "other");
        await tryGit(root, "push", "-q");
        await git(root, "checkout", "-q", "feature");
        await push(root);
        const theirs = (await upstreamOf(root, "other")).replace("other", "feature");
        expect([mode, remote, await upstreamOf(root)]).toEqual([mode, remote, theirs]);
      }
  });

  it("keeps following nothing when the push fails", async () => {
    await using dir = await tempDir();
    const { root } = await cloned(dir.path);
    await hook(root, "pre-push", "exit 1");
    expect(await push(root)).toMatchObject({ type: "failed" });
    expect(await upstreamOf(root)).toBe(nothing);
  });
});

describe("whether a commit is on its remote", () => {
  const isThere = async (root: string, branch: string | null = "feature") =>
    isOnRemote(await openRepository(root, env, { mayAsk: false }), branch);

  it("is known by the place that pushes go to, wherever that is fetched to", async () => {
    await using dir = await tempDir();
    const { root } = await cloned(dir.path);
    expect(await isThere(root)).toBe(false);
    await git(root, "config", "remote.origin.fetch", "+refs/heads/*:refs/heard/*");
    await git(root, "config", "push.autoSetupRemote", "false");
    await push(root);
    expect(await isThere(root)).toBe(true);
    await git(root, "config", "--add", "remote.origin.fetch", "^refs/heads/feat*");
    expect(await isThere(root)).toBe(false);
  });

  it("is not known without a branch, before a push, and of what came since", async () => {
    await using dir = await tempDir();
    const { root } = await cloned(dir.path);
    await push(root);
    expect([await isThere(root), await isThere(root, null)]).toEqual([true, false]);
    await git(root, "commit", "-q", "--allow-empty", "-m", "third");
    expect(await isThere(root)).toBe(false);
  });

  it("is not known by a branch here that it follows", async () => {
    await using dir = await tempDir();
    const { root } = await cloned(dir.path);
    await git(root, "branch", "-q", "mine");
    await git(root, "branch", "-q", "--set-upstream-to=mine");
    expect(await isThere(root)).toBe(false);
  });
});
