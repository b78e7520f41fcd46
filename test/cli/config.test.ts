import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listHome, writeConfig } from "../support/on-server.ts";
import { openDatabase } from "../support/postgres-database.ts";
import { openCarryon } from "../support/run-carryon.ts";

describe("config.yaml", () => {
  it("selects the store, and CARRYON_STORE wins over it", async () => {
    await using database = await openDatabase();
    await using other = await openDatabase();
    await using carryon = await openCarryon();
    await writeConfig(carryon, `# where we all meet\nstore: ${database.url}\n`);
    await carryon.record("by config");
    const pathIn = async (env: Readonly<Record<string, string>>) =>
      JSON.parse((await carryon.run(["--json"], { env })).stdout).store;
    expect([
      await pathIn({}),
      await pathIn({ CARRYON_STORE: "" }),
      await pathIn({ CARRYON_STORE: other.url }),
      await listHome(carryon),
    ]).toEqual([
      { path: database.shown, exists: true },
      { path: database.shown, exists: true },
      { path: other.shown, exists: false },
      ["config.yaml", "key"],
    ]);
  });

  it("counts only in the home, never in a repository", async () => {
    await using carryon = await openCarryon();
    const line = "store: postgres://me:pw@127.0.0.1:1/x\n";
    for (const folder of ["work", "work/.carryon", "work/home"]) {
      await mkdir(join(carryon.folder, folder), { recursive: true });
      await writeFile(join(carryon.folder, folder, "config.yaml"), line);
    }
    await writeFile(join(carryon.folder, "work", ".env"), "CARRYON_STORE=postgres://me:pw@127.0.0.1:1/x\n");
    await carryon.record("one");
    expect(JSON.parse((await carryon.call(["--json"])).stdout).store).toEqual({
      path: "<folder>/home/store.db",
      exists: true,
    });
  });

  it("that is wrong stops every command with exit code 3, and is not quoted", async () => {
    await using carryon = await openCarryon();
    await writeConfig(carryon, "stor: postgres://me:s3cret@db/x\n");
    expect([
      await carryon.call(["sessions"]),
      await carryon.call(["doctor", "--json"]),
      await carryon.call(["__complete", "show", ""]),
      await carryon.call(["sessions"], { env: { CARRYON_STORE: "mysql://me:s3cret@db/x" } }),
    ]).toMatchInlineSnapshot(`
      [
        {
          "code": 3,
          "stderr": "carryon: <folder>/home/config.yaml, line 1: there is no setting stor.
        Did you mean store?
      ",
          "stdout": "",
        },
        {
          "code": 3,
          "stderr": "{"error":{"code":"bad-config","message":"<folder>/home/config.yaml, line 1: there is no setting stor.","hint":"Did you mean store?"}}
      ",
          "stdout": "",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "",
        },
        {
          "code": 3,
          "stderr": "carryon: The address of the store is not valid: it must begin with postgres://.
        Write postgres://user:password@host:port/database, in the password %40 for @, %2F for /, %23 for #, %3F for ? and %25 for %.
      ",
          "stdout": "",
        },
      ]
    `);
  });

  it("with a bad value stops the commands that read it, and doctor reports it once", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    await writeConfig(carryon, "sddDir: 7\nmaxRecoveryAttempts: many\n");
    const { code, stdout } = await carryon.call(["doctor", "--json"]);
    const problems = (JSON.parse(stdout) as { readonly problems: readonly { readonly what: string }[] })
      .problems;
    expect([(await carryon.call(["sessions"])).code, (await carryon.call(["brief"])).code, code]).toEqual([
      0, 3, 74,
    ]);
    expect(problems.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^<folder>\/home\/config\.yaml, line 1: sddDir /),
    ]);
  });
});
