import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

describe("backup and restore", () => {
  it("brings everything back, keeps the store as it was, and never replaces a file by accident", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const first = await carryon.call(["backup", "copy.db"]);
    const file = join(carryon.folder, "work", "copy.db");
    const bytes = (await readFile(file)).length;
    expect({ ...first, mode: (await stat(file)).mode & 0o777 }).toEqual({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(/^Backed up 1 session \([\d.]+ kB\) to <folder>\/work\/copy\.db\n$/),
      mode: 0o600,
    });
    await carryon.record("two");
    expect([
      await carryon.call(["backup", "copy.db"]),
      await carryon.call(["restore", "copy.db"]),
      await carryon.call(["restore", "copy.db", "--yes"]),
    ]).toMatchInlineSnapshot(`
      [
        {
          "code": 4,
          "stderr": "carryon: <folder>/work/copy.db is there already.
        Choose another name, or say --force to replace it.
      ",
          "stdout": "",
        },
        {
          "code": 2,
          "stderr": "carryon: There is no terminal to ask on. Nothing was restored.
        Add --yes to answer beforehand.
      ",
          "stdout": "",
        },
        {
          "code": 0,
          "stderr": "Restored 1 session.
      The store as it was is in <folder>/home/store.before-restore-<stamp>.db
      ",
          "stdout": "",
        },
      ]
    `);
    expect((await readFile(file)).length).toBe(bytes);
    const { sessions } = JSON.parse(await carryon.ask(["sessions", "--json"]));
    expect(sessions.map((session: { title: string }) => session.title)).toEqual(["one"]);
  });

  it("restores into an empty home without asking, and replaces a backup with --force", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    await carryon.ask(["backup", "copy.db"]);
    await carryon.ask(["backup", "copy.db", "--force"]);
    const env = { CARRYON_HOME: join(carryon.folder, "other") };
    expect(await carryon.call(["restore", "copy.db"], { env })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Restored 1 session.
      ",
        "stdout": "",
      }
    `);
    expect((await carryon.call(["sessions"], { env })).stdout.split("\n").length).toBe(3);
  });

  it("refuses a missing and a damaged backup, and leaves the store alone", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    await carryon.ask(["backup", "copy.db"]);
    const damaged = await open(join(carryon.folder, "work", "copy.db"), "r+");
    await damaged.truncate(20_000);
    await damaged.close();
    const codes = [
      await carryon.call(["restore", "missing.db", "--yes"]),
      await carryon.call(["restore", "copy.db", "--yes"]),
    ].map(({ code }) => code);
    expect(codes).toEqual([2, 74]);
    expect(JSON.parse(await carryon.ask(["verify", "--json"])).ok).toBe(true);
  });

  it("has nothing to back up before anything is recorded", async () => {
    await using carryon = await openCarryon();
    const { code, stderr } = await carryon.call(["backup", "copy.db"]);
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: There is no store at <folder>/home/store.db yet.
        \`carryon import claude-code\` takes in what Claude Code has, \`carryon init\` records it from now on, \`carryon append\` any tool; \`carryon tour\` shows how.
      ",
      }
    `);
  });
});
