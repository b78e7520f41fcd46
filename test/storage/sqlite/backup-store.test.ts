import { mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTempName } from "../../../src/lib/atomic-file.ts";
import { readOwnIdentity } from "../../../src/lib/process-identity.ts";
import { systemRandom } from "../../../src/lib/uuid-v7.ts";
import { backupStore } from "../../../src/storage/maintenance.ts";
import { locateStore } from "../../../src/storage/open-store.ts";
import { readContent, readContentOfFile } from "../../support/store-content.ts";
import { fillStore, hashFile, tamper } from "../../support/store-files.ts";
import { startWriter } from "../../support/store-writers.ts";
import { tempDir } from "../../support/temp-dir.ts";

const once = { overwrite: false };

describe("a backup", () => {
  it("is a whole copy in one file that only its owner may read, whatever the umask is", async () => {
    await using dir = await tempDir();
    await fillStore(dir.join("home"));
    const mask = process.umask(0o022);
    const backup = await backupStore(dir.join("home"), dir.join("copy.db"), once).finally(() =>
      process.umask(mask),
    );
    const { size, mode } = await stat(dir.join("copy.db"));
    expect([backup, mode & 0o777]).toEqual([{ bytes: size, sessions: 2 }, 0o600]);
    expect((await readdir(dir.path)).toSorted()).toEqual(["copy.db", "home"]);
    expect(await readContentOfFile(dir.join("copy.db"))).toEqual(await readContent(dir.join("home")));
  });

  it("has everything that was acknowledged before it began, while writers go on", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    const writer = startWriter(home, "one", "w-");
    await using _child = writer.child;
    for (const round of [1, 2, 3]) {
      while (writer.receipts.length < round * 15) await writer.next();
      const before = writer.receipts.length;
      const reading = writer.next();
      await backupStore(home, dir.join("copy.db"), { overwrite: true });
      await reading;
      const [content] = await readContentOfFile(dir.join("copy.db"));
      const ids = content?.entries.map((entry) => `${entry.seq} ${entry.id}`) ?? [];
      expect(ids.slice(0, before)).toEqual(writer.receipts.slice(0, before));
    }
  });

  it("replaces another file only when it is told to", async () => {
    await using dir = await tempDir();
    await fillStore(dir.join("home"));
    await writeFile(dir.join("copy.db"), "precious");
    await expect(backupStore(dir.join("home"), dir.join("copy.db"), once)).rejects.toMatchObject({
      kind: "conflict",
      code: "file-exists",
    });
    expect(await readFile(dir.join("copy.db"), "utf8")).toBe("precious");
    await backupStore(dir.join("home"), dir.join("copy.db"), { overwrite: true });
    expect(await readContentOfFile(dir.join("copy.db"))).toHaveLength(2);
    expect((await readdir(dir.path)).toSorted()).toEqual(["copy.db", "home"]);
  });

  it("is not written through a link", async () => {
    await using dir = await tempDir();
    await fillStore(dir.join("home"));
    await writeFile(dir.join("precious"), "precious");
    await symlink(dir.join("precious"), dir.join("copy.db"));
    for (const options of [once, { overwrite: true }]) {
      const copied = backupStore(dir.join("home"), dir.join("copy.db"), options);
      await expect(copied).rejects.toMatchObject({ code: "symlink-refused" });
    }
    expect(await readlink(dir.join("copy.db"))).toBe(dir.join("precious"));
    expect(await readFile(dir.join("precious"), "utf8")).toBe("precious");
    await mkdir(dir.join("folder"));
    const copied = backupStore(dir.join("home"), dir.join("folder"), { overwrite: true });
    await expect(copied).rejects.toMatchObject({ code: "not-a-file" });
  });

  it.each(["store.db", "store.db-wal", "STORE.DB", "key"])(
    "never takes the place of the store's own %s",
    async (name) => {
      await using dir = await tempDir();
      const home = dir.join("home");
      await fillStore(home);
      const before = [await hashFile(locateStore(home)), await hashFile(join(home, "key"))];
      await symlink(home, dir.join("other-way"));
      for (const folder of [home, dir.join("other-way")]) {
        await expect(backupStore(home, join(folder, name), { overwrite: true })).rejects.toMatchObject({
          kind: "usage",
          code: "own-file",
        });
      }
      expect([await hashFile(locateStore(home)), await hashFile(join(home, "key"))]).toEqual(before);
    },
  );

  it("removes what a backup that was killed left in the folder", async () => {
    await using dir = await tempDir();
    await fillStore(dir.join("home"));
    const left = makeTempName("copy.db", { ...(await readOwnIdentity()), started: "1" }, systemRandom);
    for (const end of ["", "-journal"]) await writeFile(dir.join(`${left}${end}`), "half");
    await backupStore(dir.join("home"), dir.join("copy.db"), once);
    expect((await readdir(dir.path)).toSorted()).toEqual(["copy.db", "home"]);
  });

  it("says what is wrong with the place it is to go to", async () => {
    await using dir = await tempDir();
    await fillStore(dir.join("home"));
    await writeFile(dir.join("file"), "not a folder");
    for (const file of [dir.join("nowhere", "copy.db"), dir.join("file", "copy.db")]) {
      await expect(backupStore(dir.join("home"), file, once)).rejects.toMatchObject({
        kind: "io",
        code: "io-failed",
      });
    }
  });

  it("names the store when that is what cannot be read, and leaves no file", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    tamper(home, "DROP TABLE session_head");
    await expect(backupStore(home, dir.join("copy.db"), once)).rejects.toMatchObject({
      code: "store-corrupt",
      message: expect.stringContaining(locateStore(home)),
    });
    expect(await readdir(dir.path)).toEqual(["home"]);
  });
});
