import { expect, it, vi } from "vitest";
import { identifyGit } from "../../src/git/unfinished-save.ts";
import { isAlive, readOwnIdentity } from "../../src/lib/process-identity.ts";
import { openGroup, patience, twoProcesses, unasked } from "../support/process-group.ts";

it("knows a git by when it started, on this machine since its last start", async () => {
  await using group = await openGroup(twoProcesses);
  const { boot, host, machine, pidNamespace } = await readOwnIdentity();
  const git = await identifyGit({ pid: group.pid, isGroup: true });
  expect(git).toEqual({
    ...{ boot, host, machine, pidNamespace, pid: group.pid, isGroup: true },
    started: expect.stringMatching(/^\d+$/),
  });
  expect(await identifyGit({ pid: group.inner, isGroup: false })).toMatchObject({
    ...{ pid: group.inner, isGroup: false },
  });
  if (git === undefined) throw new Error("It was not found.");
  expect(await isAlive(git)).toBe("alive");
  await group.kill();
  expect(await isAlive(git)).toBe("gone");
});

it("does not know a git that has ended, though it is still listed", async () => {
  await using group = await openGroup(unasked);
  await vi.waitFor(
    async () => expect(await identifyGit({ pid: group.inner, isGroup: true })).toBeUndefined(),
    patience,
  );
});
