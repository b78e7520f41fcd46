import { link, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { acquireLock, LockBusy } from "../../src/lib/file-lock.ts";
import { sweepStrays } from "../../src/lib/temp-files.ts";
import { startChild } from "../support/child.ts";
import { tempDir } from "../support/temp-dir.ts";

const leave = "nothing";

describe("a lock that leaves nothing", () => {
  it("has its file while it is held, and none after", async () => {
    await using dir = await tempDir();
    const lock = await acquireLock(dir.join("a"), { leave });
    expect(await readdir(dir.path)).toEqual([".a.carryon-lock"]);
    await lock.release();
    await lock.release();
    expect(await readdir(dir.path)).toEqual([]);
  });

  it("is held by one at a time, in this process and between processes", async () => {
    await using dir = await tempDir();
    await using other = startChild("lock-child.ts", dir.join("a"), leave);
    const lock = await acquireLock(dir.join("a"), { leave });
    const busy = new LockBusy(dir.join("a"));
    await expect(acquireLock(dir.join("a"), { leave, wait: 0 })).rejects.toEqual(busy);
    expect(await other.ask("try")).toBe("busy");
    await lock.release();
    expect(await other.ask("try")).toBe("held");
    await expect(acquireLock(dir.join("a"), { leave, wait: 20 })).rejects.toEqual(busy);
    expect(await other.ask("release")).toBe("free");
    expect(await readdir(dir.path)).toEqual([]);
  });

  it("removes what a killed holder has left", async () => {
    await using dir = await tempDir();
    await using holder = startChild("lock-child.ts", dir.join("a"), leave);
    expect(await holder.ask("acquire")).toBe("held");
    holder.kill("SIGKILL");
    await holder.ended();
    expect(await readdir(dir.path)).toEqual([".a.carryon-lock"]);
    await (await acquireLock(dir.join("a"), { leave, wait: 0 })).release();
    expect(await readdir(dir.path)).toEqual([]);
  });

  it("leaves a lock file alone that somebody has put in the place of its own", async () => {
    await using dir = await tempDir();
    const lock = await acquireLock(dir.join("a"), { leave });
    // Kept, so that the new file cannot get the number of the old one.
    await link(dir.join(".a.carryon-lock"), dir.join("old"));
    await rm(dir.join(".a.carryon-lock"));
    await writeFile(dir.join(".a.carryon-lock"), "");
    await lock.release();
    expect(await readdir(dir.path)).toEqual([".a.carryon-lock", "old"]);
  });

  it("empties a damaged lock file and removes it", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join(".a.carryon-lock"), "garbage");
    await (await acquireLock(dir.join("a"), { leave, wait: 0 })).release();
    expect(await readdir(dir.path)).toEqual([]);
  });
});

describe("a counter under a lock that leaves nothing", () => {
  async function work(path: string, times: number, killAfter: number): Promise<number> {
    await using child = startChild("counter-child.ts", path, String(times), leave);
    let added = 0;
    while ((await child.next()) !== undefined) {
      if (++added === killAfter) child.kill("SIGKILL");
    }
    return added;
  }

  it("is exact after many processes have added to it at once, with nothing beside it", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("count"), "0");
    const reported = await Promise.all(
      Array.from({ length: 8 }, () => work(dir.join("count"), 20, Number.POSITIVE_INFINITY)),
    );
    expect(reported).toEqual(Array.from({ length: 8 }, () => 20));
    expect(await readFile(dir.join("count"), "utf8")).toBe("160");
    expect(await readdir(dir.path)).toEqual(["count"]);
  });

  it("has every addition that was reported when some are killed, and the next taker tidies up", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("count"), "0");
    const reported = await Promise.all([1, 2, 5, 9, 99, 99].map((n) => work(dir.join("count"), 20, n)));
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
