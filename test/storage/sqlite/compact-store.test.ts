import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseEntryId, parseSessionId } from "../../../src/sessions/ids.ts";
import { tagged, titled } from "../../../src/sessions/session-events.ts";
import { openStore, openStoreForReading } from "../../../src/storage/open-store.ts";
import { newFork, newSession, said, start } from "../../support/entries.ts";
import { fillStore } from "../../support/store-files.ts";
import { tempDir } from "../../support/temp-dir.ts";

const [one, two] = [parseSessionId("one"), parseSessionId("two")];

/** Text that does not compress and is short enough to be stored as it is. */
const noise = (seed: number) =>
  Array.from({ length: 400 }, (_, index) =>
    ((seed * 7919 + index * 104_729) % 2_147_483_647).toString(36),
  ).join("");

describe("compacting a store", () => {
  it("gives the space of deleted sessions back to the disk", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    await using store = await openStore(dir.path);
    await store.log.append(
      one,
      Array.from({ length: 200 }, (_, index) => said(`n${index}`, noise(index))),
    );
    await store.compact();
    const before = (await stat(store.path)).size;
    await store.log.delete(one, start);
    const freed = await store.compact();
    expect([(await stat(store.path)).size, (await stat(`${store.path}-wal`)).size]).toEqual([
      before - freed,
      0,
    ]);
    expect(freed).toBeGreaterThan(before / 2);
    expect(await store.compact()).toBe(0);
    expect((await store.log.verify(two)).problem).toBeNull();
  });

  it("leaves nothing of what was deleted in any file, also while others have the store open", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    await using store = await openStore(dir.path);
    await using _reader = await openStoreForReading(dir.path);
    const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
    const secret = "canary-7d1f";
    await store.log.open(
      newSession("canary", project.id, { title: `${secret} 1`, cwd: `/${secret}`, branch: secret }),
    );
    const canary = parseSessionId("canary");
    await store.log.append(canary, [
      said("k1", `${secret} 2`),
      said("k2", `${secret} 3 ${noise(1)}`),
      titled(parseEntryId("k3"), start, `${secret} 4`),
      tagged(parseEntryId("k4"), start, { add: [secret] }),
    ]);
    await store.log.fork({ ...newFork("copy", "canary"), cwd: `/${secret}` });
    await store.log.append(one, [said("z", "something after it")]);
    const copies = async () => {
      const names = await readdir(dir.path);
      const contents = await Promise.all(names.map((name) => readFile(join(dir.path, name))));
      return names.filter((_, index) => contents[index]?.includes(secret));
    };
    expect(await copies()).not.toEqual([]);
    await store.log.delete(canary, start);
    await store.log.delete(parseSessionId("copy"), start);
    await store.compact();
    expect(await copies()).toEqual([]);
  });
});
