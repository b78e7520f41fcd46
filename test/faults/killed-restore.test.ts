import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { backupStore, inspectStore, restoreStore } from "../../src/storage/maintenance.ts";
import { countEvents, dieAtShare, startCounting } from "../support/kill-moments.ts";
import { readContent, readContentOfFile, sayIn } from "../support/store-content.ts";
import { fillStore } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";

it("leaves the store as it was or as the backup is when its process is killed at any moment", async () => {
  await using dir = await tempDir();
  const home = dir.join("home");
  await fillStore(home);
  await backupStore(home, dir.join("new.db"), { overwrite: false });
  await sayIn(home, "three", "c1", "x".repeat(100_000));
  await backupStore(home, dir.join("old.db"), { overwrite: false });
  const [before, after] = [await readContent(home), await readContentOfFile(dir.join("new.db"))];
  const restore = async (env: Readonly<Record<string, string>>) => {
    await using child = startCounting("store-restore-child.ts", [home, dir.join("new.db")], env);
    child.tell("now");
    return await child.ended();
  };
  const events = await countEvents(restore);
  await restoreStore(home, dir.join("old.db"), new Date());
  for (let kill = 1; kill <= 12; kill += 1) {
    expect(await restore(dieAtShare(events, kill / 12))).toBe("SIGKILL");
    expect((await inspectStore(home)).problems).toEqual([]);
    expect([before, after]).toContainEqual(await readContent(home));
    await restoreStore(home, dir.join("old.db"), new Date());
    expect(await readContent(home)).toEqual(before);
  }
  const names = await readdir(home);
  expect(names.filter((name) => name.endsWith(".carryon-tmp"))).toEqual([]);
});
