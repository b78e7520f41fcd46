import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isOnRemote, pushBranch } from "../../../src/work/save/push.ts";
import { openRepository } from "../../../src/work/save/repository.ts";
import { git, gitEnv } from "../../support/git-repo.ts";
import { hook, repoIn, writeFiles } from "../../support/save-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

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

describe("a push", () => {
  it("goes to the branch of the same name on origin, also where it came from another one", async () => {
    await using dir = await tempDir();
    const { root, remote } = await cloned(dir.path);
    await git(root, "branch", "-q", "--set-upstream-to=origin/main");
    const target = { remote: "origin", branch: "feature", isDefault: false };
    expect(await push(root)).toEqual({ type: "pushed", target });
    expect(await git(remote, "rev-parse", "feature")).toBe(await git(root, "rev-parse", "HEAD"));
    expect(await git(remote, "log", "-1", "--format=%s", "main")).toBe("first");
    expect(await push(root)).toEqual({ type: "pushed", target });
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
    });
    expect(await isOnRemote(await openRepository(root, env, { mayAsk: false }))).toBe(true);
  });

  it("goes to the default branch only when somebody says yes", async () => {
    await using dir = await tempDir();
    const { root, remote } = await cloned(dir.path);
    await git(root, "checkout", "-q", "main");
    await git(root, "merge", "-q", "feature");
    const target = { remote: "origin", branch: "main", isDefault: true };
    expect(await push(root)).toEqual({ type: "not-allowed", target });
    expect(await git(remote, "log", "-1", "--format=%s", "main")).toBe("first");
    expect(await push(root, { allowed: true })).toEqual({ type: "pushed", target });
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
