import { link, readdir, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { acquireLock, LockBusy } from "../../src/lib/file-lock.ts";
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
