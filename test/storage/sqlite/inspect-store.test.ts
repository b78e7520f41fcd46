import { chmod, readdir, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { inspectStore } from "../../../src/storage/maintenance.ts";
import { schemaVersion } from "../../../src/storage/migrate.ts";
import { locateStore } from "../../../src/storage/open-store.ts";
import { fillStore, hashFile, tamper } from "../../support/store-files.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe("inspectStore", () => {
  it("reports what a healthy store is", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    const path = locateStore(dir.path);
    expect(await inspectStore(dir.path)).toEqual({
      path,
      exists: true,
      bytes: (await stat(path)).size,
      walBytes: 0,
      freeBytes: expect.any(Number),
      schema: schemaVersion,
      sqlite: process.versions.sqlite,
      postgres: null,
      sessions: 2,
      problems: [],
    });
  });

  it("says when the key is damaged or open to others", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    const key = dir.join("key");
    await chmod(key, 0o644);
    expect((await inspectStore(dir.path)).problems).toEqual([
      { what: `Other users can read ${key}.`, hint: `Run \`chmod go= ${key}\`.` },
    ]);
    await chmod(key, 0o600);
    await writeFile(key, "short");
    expect((await inspectStore(dir.path)).problems).toEqual([
      {
        what: expect.stringContaining("is damaged"),
        hint: expect.stringContaining("move the file aside and run `carryon doctor --new-key`"),
      },
    ]);
  });

  it("makes nothing where there is no store", async () => {
    await using dir = await tempDir();
    expect(await inspectStore(dir.join("home"))).toMatchObject({
      exists: false,
      bytes: 0,
      schema: null,
      problems: [],
    });
    expect(await readdir(dir.path)).toEqual([]);
  });

  it("says when others can read the folder or the file", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    await chmod(dir.path, 0o755);
    await chmod(locateStore(dir.path), 0o640);
    expect((await inspectStore(dir.path)).problems).toEqual([
      { what: `Other users can read ${dir.path}.`, hint: `Run \`chmod go= ${dir.path}\`.` },
      {
        what: `Other users can read ${locateStore(dir.path)}.`,
        hint: `Run \`chmod go= ${locateStore(dir.path)}\`.`,
      },
    ]);
  });

  it.each([
    {
      sql: "DELETE FROM body WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 1)",
      what: "an entry has no body",
    },
    { sql: "DELETE FROM session_head WHERE session_key = 2", what: "a session has no head" },
    {
      sql: "UPDATE session_head SET project_key = 99",
      what: "table session_head refers to a row that is gone",
    },
    {
      sql: "UPDATE session SET base_key = 99 WHERE key = 2",
      what: "table session refers to a row that is gone",
    },
  ])("finds what is missing after $sql, and leaves it as it is", async ({ sql, what }) => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    tamper(dir.path, sql);
    const before = await hashFile(locateStore(dir.path));
    expect((await inspectStore(dir.path)).problems.map((problem) => problem.what)).toEqual([
      `The database is damaged: ${what}.`,
    ]);
    expect(await hashFile(locateStore(dir.path))).toBe(before);
  });
});
