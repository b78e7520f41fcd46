import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { appendJsonl, readJsonl } from "../../src/lib/jsonl.ts";
import { once, onward, type StracedRun, startStraced, strace } from "../support/strace.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const calls = ["openat", "pread64", "write", "fsync", "close"];
const scenes = [
  {
    scene: "a new file",
    before: undefined,
    expected: [1, 2],
    trace: ["openat", "openat", "fsync", "close", "write", "fsync", "close"],
  },
  {
    scene: "a file with a torn tail",
    before: '0\n{"torn',
    expected: [0, 1, 2],
    trace: ["openat", "pread64", "write", "fsync", "close"],
  },
];

/** Appends 1 and 2 in one call while strace does what it is told. */
async function append(
  dir: TempDir,
  before: string | undefined,
  inject: readonly string[],
): Promise<StracedRun> {
  const path = dir.join("log.jsonl");
  if (before !== undefined) await writeFile(path, before);
  return strace({ calls, paths: [path, dir.path], inject }, "jsonl-child.ts", path, "1", "2");
}

/** Returns the values that a reader finds. */
async function readValues(dir: TempDir): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const line of readJsonl(dir.join("log.jsonl")))
    if (line.type === "line") values.push(line.value);
  return values;
}

describe.each(scenes)("an append to $scene", ({ before, expected, trace }) => {
  const written = trace.indexOf("write");
  /** What a failure or a kill at one of the calls leaves, and an append after it adds to. */
  const left = (index: number) => (index <= written ? expected.slice(0, -2) : expected);

  it("makes the calls that the other tests make fail", async () => {
    await using dir = await tempDir();
    expect(await append(dir, before, [])).toMatchObject({
      exit: 0,
      stdout: "done\n",
      stderr: "",
      trace,
      injected: 0,
    });
    expect(await readValues(dir)).toEqual(expected);
  });

  describe.each(trace.map((call, index) => ({ index, name: `${call} (call ${index + 1})` })))(
    "when $name goes wrong",
    ({ index }) => {
      it.each([
        { error: "EIO", code: "io-failed" },
        { error: "ENOSPC", code: "disk-full" },
      ])("reports $error as $code, and the next append finds all lines in order", async ({ error, code }) => {
        await using dir = await tempDir();
        const { stdout, injected } = await append(dir, before, once(trace, index, `error=${error}`));
        expect({ stdout, injected }).toEqual({ stdout: `${code}\n`, injected: 1 });
        await appendJsonl(dir.join("log.jsonl"), [3]);
        expect(await readValues(dir)).toEqual([...left(index), 3]);
      });

      it("does not report success when everything after it fails too", async () => {
        await using dir = await tempDir();
        const { stdout } = await append(dir, before, onward(trace, index, "error=EIO", calls));
        expect(stdout).toBe("io-failed\n");
        await appendJsonl(dir.join("log.jsonl"), [3]);
        expect(await readValues(dir)).toEqual([...left(index), 3]);
      });

      it("loses no line that was there when its writer is killed", async () => {
        await using dir = await tempDir();
        const { exit, stdout } = await append(dir, before, once(trace, index, "signal=SIGKILL"));
        expect({ exit, stdout }).toEqual({ exit: "SIGKILL", stdout: "" });
        await appendJsonl(dir.join("log.jsonl"), [3]);
        expect(await readValues(dir)).toEqual([...left(index), 3]);
      });
    },
  );
});

it("goes on where the system stopped when it takes only a part of the bytes", async () => {
  await using dir = await tempDir();
  const { stdout, injected } = await append(dir, "0\n", ["write:retval=1:when=1..2"]);
  expect({ stdout, injected }).toEqual({ stdout: "done\n", injected: 2 });
  // The two bytes that strace pretended to write are missing; all others follow.
  expect(await readFile(dir.join("log.jsonl"), "utf8")).toBe("0\n2\n");
});

it("refuses a link that takes the place of the file at the last moment", async () => {
  await using dir = await tempDir();
  await writeFile(dir.join("victim"), "precious");
  await writeFile(dir.join("log.jsonl"), "");
  await using child = await startStraced(
    { calls: ["statx", "openat"], paths: [dir.join("log.jsonl")], inject: ["openat:delay_enter=500000"] },
    "jsonl-child.ts",
    dir.join("log.jsonl"),
    "1",
  );
  // It has looked at the file and is about to open it.
  while (!(await child.hasReturned("statx"))) await setImmediate();
  await rm(dir.join("log.jsonl"));
  await symlink("victim", dir.join("log.jsonl"));
  expect([await child.next(), await child.countInjected()]).toEqual(["symlink-refused", 1]);
  expect(await readFile(dir.join("victim"), "utf8")).toBe("precious");
});
