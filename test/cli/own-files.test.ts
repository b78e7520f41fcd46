import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

describe("a file of the home", () => {
  it("is never written over by a command that writes where the user says", async () => {
    await using carryon = await openCarryon();
    const id = await carryon.record("precious");
    await carryon.ask(["fork", id]);
    const home = join(carryon.folder, "home");
    await writeFile(join(home, "config.yaml"), "# mine\n");
    await symlink(home, join(carryon.folder, "other-way"));
    const before = await readHome(home);
    for (const file of [
      ...[...before.keys()].map((name) => join(home, name)),
      ...["store.db-wal", "STORE.DB-SHM", "trust.json", "bin/hook.mjs"].map((name) => join(home, name)),
      join(carryon.folder, "other-way", "store.db"),
    ])
      for (const args of [
        ["export", id, "--force", "--output", file],
        ["backup", "--force", file],
        ["diff", "latest", "--html", file],
        ["chat", "--session-file", file],
      ])
        expect([args, await carryon.call(args)]).toEqual([
          args,
          {
            code: 2,
            stdout: "",
            stderr: `carryon: ${file.replace(carryon.folder, "<folder>")} is one of Carryon's own files.\n  Choose a file outside of <folder>/home.\n`,
          },
        ]);
    expect(await readHome(home)).toEqual(before);
  });

  it("is told from a backup or an export that the user keeps there", async () => {
    await using carryon = await openCarryon();
    const id = await carryon.record("precious");
    const home = join(carryon.folder, "home");
    await carryon.ask(["backup", join(home, "copy.db")]);
    await carryon.ask(["backup", "--force", join(home, "copy.db")]);
    await carryon.ask(["export", id, "--output", join(home, "talk.json")]);
    expect((await readdir(home)).filter((name) => ["copy.db", "talk.json"].includes(name))).toHaveLength(2);
  });
});

/** Returns the files of a home by name; those that SQLite keeps beside the store come and go. */
async function readHome(home: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(home)).filter((name) => !/-(?:wal|shm)$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(home, name), "latin1")));
  return new Map(names.map((name, at) => [name, texts[at] ?? ""]));
}
