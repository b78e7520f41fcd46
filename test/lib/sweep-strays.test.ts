import { lstat, mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { makeTempName, sweepStrays } from "../../src/lib/atomic-file.ts";
import { type ProcessIdentity, readOwnIdentity } from "../../src/lib/process-identity.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import { startChild } from "../support/child.ts";
import { fixedOwner } from "../support/fixed-owner.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const now = new Date("2026-11-15T20:06:08Z");
const clock = { now: () => now };

/** Leaves a temporary file whose last write was some milliseconds ago. */
async function leave(dir: TempDir, owner: ProcessIdentity, ageMs: number): Promise<string> {
  const path = dir.join(makeTempName("state.json", owner, systemRandom));
  await writeFile(path, "half");
  const written = new Date(now.getTime() - ageMs);
  await utimes(path, written, written);
  return path;
}

async function killedWriter(): Promise<ProcessIdentity> {
  await using child = startChild("identity-child.ts");
  return JSON.parse((await child.next()) ?? "") as ProcessIdentity;
}

it("removes the file of a killed writer at once, whatever the clock says", async () => {
  await using dir = await tempDir();
  const path = await leave(dir, await killedWriter(), -1_000_000);
  expect(await sweepStrays(dir.path, { clock })).toEqual([path]);
  expect(await readdir(dir.path)).toEqual([]);
});

it("never removes the file of a living writer, however old it is, also while the writer is stopped", async () => {
  await using dir = await tempDir();
  await using child = startChild("identity-child.ts");
  const identity = JSON.parse((await child.next()) ?? "") as ProcessIdentity;
  child.kill("SIGSTOP");
  await leave(dir, identity, 1e12);
  await leave(dir, await readOwnIdentity(), 1e12);
  expect(await sweepStrays(dir.path, { clock, olderThanMs: 0 })).toEqual([]);
  expect(await readdir(dir.path)).toHaveLength(2);
});

it("removes the file of a writer elsewhere only when it is older than told", async () => {
  await using dir = await tempDir();
  const old = await leave(dir, fixedOwner.owner, 1001);
  const young = await leave(dir, fixedOwner.owner, 1000);
  expect(await sweepStrays(dir.path, { clock, olderThanMs: 1000 })).toEqual([old]);
  expect(await sweepStrays(dir.path, { clock })).toEqual([]);
  expect((await lstat(young)).isFile()).toBe(true);
});

it("waits for an hour unless told", async () => {
  await using dir = await tempDir();
  await leave(dir, fixedOwner.owner, 3_600_000);
  const old = await leave(dir, fixedOwner.owner, 3_600_001);
  expect(await sweepStrays(dir.path, { clock })).toEqual([old]);
});

it("leaves other files, and links and folders with such a name", async () => {
  await using dir = await tempDir();
  const owner = await killedWriter();
  const target = dir.join("state.json");
  await writeFile(target, "{}");
  await writeFile(dir.join(".state.json.tmp"), "another program's");
  await symlink(target, dir.join(makeTempName("link", owner, systemRandom)));
  await mkdir(dir.join(makeTempName("folder", owner, systemRandom)));
  const before = await readdir(dir.path);
  expect(await sweepStrays(dir.path, { clock })).toEqual([]);
  expect(await readdir(dir.path)).toEqual(before);
});

it("finds nothing in a folder that does not exist", async () => {
  await using dir = await tempDir();
  expect(await sweepStrays(dir.join("missing"))).toEqual([]);
});

it("names what it cannot read", async () => {
  await using dir = await tempDir();
  await writeFile(dir.join("file"), "");
  const facts = { kind: "io", code: "io-failed", path: dir.join("file"), cause: { code: "ENOTDIR" } };
  await expect(sweepStrays(dir.join("file"))).rejects.toMatchObject(facts);
});
