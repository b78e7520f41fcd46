import { expect, it, vi } from "vitest";
import { listGroup } from "../../src/lib/process-identity.ts";
import { openGroup, patience, twoProcesses, unasked } from "../support/process-group.ts";

const isLinux = process.platform === "linux";

it("lists the processes of a group, and none of another", async () => {
  await using group = await openGroup(twoProcesses);
  await using other = await openGroup(twoProcesses);
  const listed = [await listGroup(group.pid), await listGroup(other.pid)].map((pids) => new Set(pids));
  const groups = [group, other].map(({ pid, inner }) => new Set(isLinux ? [pid, inner] : [pid]));
  expect(listed).toEqual(groups);
});

it("lets a group stand for its processes where the system does not list them", async () => {
  await using group = await openGroup(twoProcesses);
  expect(await listGroup(group.pid, "darwin")).toEqual([group.pid]);
});

it("finds nobody in a group that was killed, nor on a system without groups", async () => {
  await using group = await openGroup(twoProcesses);
  expect(await listGroup(group.pid, "win32")).toEqual([]);
  await group.kill();
  await vi.waitFor(async () => expect(await listGroup(group.pid)).toEqual([]), patience);
});

it("leaves out a process that has ended, though it is still listed", async () => {
  await using group = await openGroup(unasked);
  await vi.waitFor(async () => expect(await listGroup(group.pid)).toEqual([group.pid]), patience);
});
