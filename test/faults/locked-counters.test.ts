import { readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { sweepStrays } from "../../src/lib/atomic-file.ts";
import { acquireLock } from "../../src/lib/file-lock.ts";
import { startChild } from "../support/child.ts";
import { tempDir } from "../support/temp-dir.ts";

const leave = "nothing";

/** Lets a child add twenty times, and returns how many additions it has reported. Ends it early if told. */
async function work(path: string, killAfter: number, ...options: readonly string[]): Promise<number> {
  await using child = startChild("counter-child.ts", path, "20", ...options);
  let added = 0;
  while ((await child.next()) !== undefined) {
    if (++added === killAfter) child.kill("SIGKILL");
  }
  return added;
}

describe("a counter under the lock", () => {
  it("is exact after many processes have added to it at once", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("count"), "0");
    const reported = await Promise.all(
      Array.from({ length: 6 }, () => work(dir.join("count"), Number.POSITIVE_INFINITY)),
    );
    expect(reported).toEqual(Array.from({ length: 6 }, () => 20));
    expect(await readFile(dir.join("count"), "utf8")).toBe("120");
  });

  it("has every addition that was reported when some of the processes are killed", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("count"), "0");
    const reported = await Promise.all([1, 2, 5, 9, 99, 99].map((n) => work(dir.join("count"), n)));
    const sum = reported.reduce((total, each) => total + each);
    const count = Number(await readFile(dir.join("count"), "utf8"));
    expect(reported.slice(4)).toEqual([20, 20]);
    expect(count).toBeGreaterThanOrEqual(sum);
    // Each of the four that were killed may have made one addition that it could not report.
    expect(count).toBeLessThanOrEqual(sum + 4);
  });
});

describe("a counter under a lock that leaves nothing", () => {
  it("is exact after many processes have added to it at once, with nothing beside it", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("count"), "0");
    const reported = await Promise.all(
      Array.from({ length: 8 }, () => work(dir.join("count"), Number.POSITIVE_INFINITY, leave)),
    );
    expect(reported).toEqual(Array.from({ length: 8 }, () => 20));
    expect(await readFile(dir.join("count"), "utf8")).toBe("160");
    expect(await readdir(dir.path)).toEqual(["count"]);
  });

  it("has every addition that was reported when some are killed, and the next taker tidies up", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("count"), "0");
    const reported = await Promise.all([1, 2, 5, 9, 99, 99].map((n) => work(dir.join("count"), n, leave)));
    const sum = reported.reduce((total, each) => total + each);
    const count = Number(await readFile(dir.join("count"), "utf8"));
    expect(count).toBeGreaterThanOrEqual(sum);
    // Each of the four that were killed may have made one addition that it could not report.
    expect(count).toBeLessThanOrEqual(sum + 4);
    const lock = await acquireLock(dir.join("count"), { leave });
    await sweepStrays(dir.path);
    await lock.release();
    expect(await readdir(dir.path)).toEqual(["count"]);
  });
});
