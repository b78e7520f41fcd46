import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { backupStore, inspectStore, restoreStore } from "../../../src/storage/maintenance.ts";
import { startChild } from "../../support/child.ts";
import { readContent, readContentOfFile, sayIn } from "../../support/store-content.ts";
import { fillStore } from "../../support/store-files.ts";
import { tempDir } from "../../support/temp-dir.ts";

it("leaves the store as it was or as the backup is when its process is killed at any moment", async () => {
  await using dir = await tempDir();
  const home = dir.join("home");
  await fillStore(home);
  await backupStore(home, dir.join("new.db"), { overwrite: false });
  await sayIn(home, "three", "c1", "x".repeat(100_000));
  await backupStore(home, dir.join("old.db"), { overwrite: false });
  const [before, after] = [await readContent(home), await readContentOfFile(dir.join("new.db"))];
  const children = Array.from({ length: 8 }, () =>
    startChild("store-restore-child.ts", home, dir.join("new.db")),
  );
  for (const [index, child] of children.entries()) {
    expect(await child.next()).toBe("ready");
    child.tell("now");
    await sleep(index * 8 * Math.random());
    child.kill("SIGKILL");
    await child.ended();
    expect((await inspectStore(home)).problems).toEqual([]);
    expect([before, after]).toContainEqual(await readContent(home));
    await restoreStore(home, dir.join("old.db"), new Date());
    expect(await readContent(home)).toEqual(before);
  }
  const names = await readdir(home);
  expect(names.filter((name) => name.endsWith(".carryon-tmp"))).toEqual([]);
});
