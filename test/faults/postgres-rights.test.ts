import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openOnServer, openUser } from "../support/on-server.ts";
import { openCarryon } from "../support/run-carryon.ts";

describe("a store on PostgreSQL", () => {
  it("can be read by a user who may only read, and says so when that is not enough", async () => {
    await using here = await openOnServer();
    const id = await here.carryon.record("one");
    await using user = await openUser(here.database, "SELECT");
    await using reader = await openCarryon({ CARRYON_STORE: user.url });
    for (const args of [[], ["sessions", "--all"], ["show", id], ["verify"], ["doctor", "--usage"]])
      await reader.ask(args);
    const failure = async (args: readonly string[]) => {
      const { code, stderr } = await reader.run(args, { input: '{"role":"user","text":"two"}\n' });
      return { code, stderr: stderr.replaceAll(here.database.shown, "<server>") };
    };
    const refused = await failure(["append", "--session", id]);
    await here.database.query(`REVOKE USAGE ON SCHEMA carryon FROM ${user.name}`);
    expect([refused, await failure(["sessions"])]).toMatchInlineSnapshot(`
      [
        {
          "code": 3,
          "stderr": "carryon: The store <server> refused the connection: this user lacks a right that Carryon needs.
        docs/postgres.md says which rights reading and writing need. After an update of Carryon, whoever owns its tables has to be the first to write.
      ",
        },
        {
          "code": 3,
          "stderr": "carryon: The store <server> refused the connection: this user lacks a right that Carryon needs.
        docs/postgres.md says which rights reading and writing need. After an update of Carryon, whoever owns its tables has to be the first to write.
      ",
        },
      ]
    `);
  });

  it("needs no right to make a schema once it is there", async () => {
    await using here = await openOnServer();
    await here.carryon.record("one");
    await using user = await openUser(here.database, "SELECT, INSERT, UPDATE, DELETE");
    await using writer = await openCarryon({ CARRYON_STORE: user.url });
    await writer.record("two");
    const { sessions } = JSON.parse(await here.carryon.ask(["sessions", "--all", "--json"]));
    expect(sessions.map((session: { title: string }) => session.title)).toEqual(["two", "one"]);
  });

  it("takes an entry again from another home, but one with a secret only if the keys are the same", async () => {
    await using here = await openOnServer();
    const entries = [
      { id: "plain", role: "user", text: "one" },
      { id: "secret", role: "user", text: `token ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}` },
    ];
    const id = JSON.parse((await here.carryon.ask(["append"], entries)).split("\n")[0] ?? "").session;
    const home = join(here.carryon.folder, "other-home");
    const codesOf = async () => {
      const codes: (number | null)[] = [];
      for (const entry of entries) {
        const options = { env: { CARRYON_HOME: home }, input: `${JSON.stringify(entry)}\n` };
        codes.push((await here.run(["append", "--session", id], options)).code);
      }
      return codes;
    };
    const before = await codesOf();
    await copyFile(join(here.carryon.folder, "home", "key"), join(home, "key"));
    expect({ before, after: await codesOf() }).toEqual({ before: [0, 4], after: [0, 0] });
  });
});
