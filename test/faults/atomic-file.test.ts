import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { sweepStrays } from "../../src/lib/atomic-file.ts";
import { fixedTempPath } from "../support/fixed-owner.ts";
import { once, onward, type StracedRun, strace } from "../support/strace.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

// A question mark lets a call be missing: not every processor has all of them.
const renames = ["?rename", "?renameat", "?renameat2"];
const calls = ["openat", "write", "fchmod", "fsync", "close", ...renames, "?unlink", "?unlinkat"];
const content = "new".repeat(10_000);
const tomorrow = { now: () => new Date(Date.now() + 86_400_000) };

/** Writes a file that holds "old" while strace does what it is told. */
async function write(dir: TempDir, inject: readonly string[]): Promise<StracedRun> {
  const path = dir.join("state.json");
  await writeFile(path, "old");
  await chmod(path, 0o640);
  const paths = [path, fixedTempPath(path), dir.path];
  return strace({ calls, paths, inject }, "atomic-file-child.ts", path, content);
}

/** Returns what a reader finds after a write. */
async function look(dir: TempDir) {
  const path = dir.join("state.json");
  return {
    content: await readFile(path, "utf8"),
    mode: ((await stat(path)).mode & 0o777).toString(8),
    names: await readdir(dir.path),
  };
}

const oldFile = { content: "old", mode: "640", names: ["state.json"] };
const newFile = { ...oldFile, content };

async function traceOf(): Promise<readonly string[]> {
  await using dir = await tempDir();
  const { trace, ...run } = await write(dir, []);
  expect(run).toMatchObject({ exit: 0, stdout: "done\n", stderr: "", injected: 0 });
  expect(await look(dir)).toEqual(newFile);
  return trace;
}

const trace = await traceOf();
const renameAt = trace.findIndex((call) => call.startsWith("rename"));
/** What a failure or a kill at one of the calls leaves behind, once the strays are swept. */
const left = (index: number) => (index <= renameAt ? oldFile : newFile);
const strays = (dir: TempDir, index: number) =>
  index > 0 && index <= renameAt ? [fixedTempPath(dir.join("state.json"))] : [];

it("syncs the file before it is renamed, and the folder after that", () => {
  const file = ["openat", "write", "fchmod", "fsync", "close"];
  expect(trace).toEqual([...file, trace[renameAt], "openat", "fsync", "close"]);
});

describe.each(trace.map((call, index) => ({ call, index, name: `${call} (call ${index + 1})` })))(
  "a write of which $name fails",
  ({ index }) => {
    it.each([
      { error: "EIO", code: "io-failed" },
      { error: "ENOSPC", code: "disk-full" },
      { error: "EDQUOT", code: "disk-full" },
    ])("reports $error as $code, and leaves the old content or all of the new", async ({ error, code }) => {
      await using dir = await tempDir();
      const { stdout, injected } = await write(dir, once(trace, index, `error=${error}`));
      expect({ stdout, injected }).toEqual({ stdout: `${code}\n`, injected: 1 });
      expect(await look(dir)).toEqual(left(index));
    });

    it("leaves a stray for the sweep when everything after it fails too", async () => {
      await using dir = await tempDir();
      const { stdout } = await write(dir, onward(trace, index, "error=EIO", calls));
      expect(stdout).toBe("io-failed\n");
      expect(await sweepStrays(dir.path, { clock: tomorrow })).toEqual(strays(dir, index));
      expect(await look(dir)).toEqual(left(index));
    });

    it("leaves a stray for the sweep when its writer is killed there", async () => {
      await using dir = await tempDir();
      const { exit, stdout } = await write(dir, once(trace, index, "signal=SIGKILL"));
      expect({ exit, stdout }).toEqual({ exit: "SIGKILL", stdout: "" });
      expect(await sweepStrays(dir.path, { clock: tomorrow })).toEqual(strays(dir, index));
      expect(await look(dir)).toEqual(left(index));
    });
  },
);

it.each(["EROFS", "EACCES", "EPERM"])("reports %s as read-only", async (error) => {
  await using dir = await tempDir();
  const { stdout, injected } = await write(dir, [`openat:error=${error}`]);
  expect({ stdout, injected }).toEqual({ stdout: "read-only\n", injected: 1 });
  expect(await look(dir)).toEqual(oldFile);
});

it("goes on where the system stopped when it takes only a part of the bytes", async () => {
  await using dir = await tempDir();
  const { stdout, injected } = await write(dir, ["write:retval=1:when=1..3"]);
  expect({ stdout, injected }).toEqual({ stdout: "done\n", injected: 3 });
  // The three bytes that strace pretended to write are missing; all others follow.
  expect(await look(dir)).toEqual({ ...newFile, content: content.slice(3) });
});

it("gives up when the system takes nothing without a reason", async () => {
  await using dir = await tempDir();
  const { stdout, injected } = await write(dir, ["write:retval=0"]);
  expect({ stdout, injected }).toEqual({ stdout: "io-failed\n", injected: 1 });
  expect(await look(dir)).toEqual(oldFile);
});
