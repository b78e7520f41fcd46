import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase, type TestDatabase } from "../support/postgres-database.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

interface OnServer extends AsyncDisposable {
  readonly carryon: Carryon;
  readonly database: TestDatabase;
  /** Runs the program; what differs from run to run and from server to server is made the same. */
  readonly run: (
    ...args: Parameters<Carryon["run"]>
  ) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Makes a home and an empty database, which CARRYON_STORE names. */
async function openOnServer(): Promise<OnServer> {
  const database = await openDatabase();
  const carryon = await openCarryon({ CARRYON_STORE: database.url });
  const normalise = (text: string) =>
    text
      .replaceAll(database.shown, "<server>")
      .replace(/PostgreSQL [\d.]+.*/, "PostgreSQL <version>")
      .replace(/schema \d+/, "schema <schema>")
      .replace(/[\d.]+ kB/, "<size>");
  return {
    carryon,
    database,
    run: async (args, options) => {
      const { code, stdout, stderr } = await carryon.run(args, options);
      return { code, stdout: normalise(stdout), stderr: normalise(stderr) };
    },
    [Symbol.asyncDispose]: async () => {
      await carryon[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Makes a user with rights to the tables of a store, gone with the scope. */
async function openUser(database: TestDatabase, rights: string) {
  const name = `${database.name}_user`;
  await database.query(
    `CREATE ROLE ${name} LOGIN; GRANT USAGE ON SCHEMA carryon TO ${name};
     GRANT ${rights} ON ALL TABLES IN SCHEMA carryon TO ${name}`,
  );
  const url = new URL(database.url);
  url.username = name;
  return {
    name,
    url: url.href,
    [Symbol.asyncDispose]: async () =>
      void (await database.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`)),
  };
}

/** Lists the home folder without what Node compiled; empty where there is none. */
async function listHome({ folder }: Carryon): Promise<readonly string[]> {
  const names = (await readdir(folder)).includes("home") ? await readdir(join(folder, "home")) : [];
  return names.filter((name) => name !== "cache");
}

async function writeConfig({ folder }: Carryon, text: string): Promise<void> {
  await mkdir(join(folder, "home"), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "home", "config.yaml"), text, { mode: 0o600 });
}

const schemas = "SELECT nspname FROM pg_namespace WHERE nspname = 'carryon'";

describe("a store on PostgreSQL that has nothing yet", () => {
  it("is named, and reading makes nothing", async () => {
    await using here = await openOnServer();
    expect([
      await here.run([]),
      await here.run(["sessions"]),
      await here.run(["show", "latest"]),
      await here.run(["verify"]),
      await here.run(["doctor", "--usage"]),
      await here.run(["__complete", "show", ""]),
    ]).toMatchInlineSnapshot(`
      [
        {
          "code": 0,
          "stderr": "",
          "stdout": "Project  work
      Folder   <folder>/work
      Store    <server> (not there yet)

      No session of this project is recorded yet.

      Next:
        carryon tour           see it work, in a scratch folder
        carryon append --help  record a first session
      ",
        },
        {
          "code": 0,
          "stderr": "No sessions. \`carryon sessions --all\` looks in all projects. \`carryon append\` records one.
      ",
          "stdout": "",
        },
        {
          "code": 2,
          "stderr": "carryon: There is no store at <server> yet.
        Record a first session with \`carryon append\`, or see \`carryon tour\`.
      ",
          "stdout": "",
        },
        {
          "code": 2,
          "stderr": "carryon: There is no store at <server> yet.
        Record a first session with \`carryon append\`, or see \`carryon tour\`.
      ",
          "stdout": "",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "Store    <server>
      Content  nothing recorded yet
      Server   PostgreSQL <version>

      ✓ No problem found.
      ",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "",
        },
      ]
    `);
    expect([await listHome(here.carryon), await here.database.query(schemas)]).toEqual([[], []]);
  });
});

describe("a store on PostgreSQL", () => {
  it("records, shows and changes sessions as the local one does, and leaves only the key in the home", async () => {
    await using here = await openOnServer();
    const { ask, record } = here.carryon;
    const id = await record("one", "two");
    expect(
      await here.run(["append", "--session", id], { input: '{"role":"user","text":"three"}\n' }),
    ).toEqual({
      code: 0,
      stderr: "",
      stdout: '{"session":"session-00000000-000000-0001"}\n{"seq":4,"id":"ent_0002"}\n',
    });
    const fork = (await ask(["fork", id, "--at", "1", "--title", "Another way"])).trim();
    await ask(["rename", id, "First"]);
    await ask(["tag", id, "pinned"]);
    expect([
      await here.run([]),
      await here.run(["show", fork]),
      await here.run(["tag", id]),
      await here.run(["verify"]),
      await here.run(["doctor", "--usage"]),
      await here.run(["__complete", "show", "session"]),
    ]).toMatchInlineSnapshot(`
      [
        {
          "code": 0,
          "stderr": "",
          "stdout": "Project  work
      Folder   <folder>/work
      Store    <server>

      SESSION                                   UPDATED   MSGS  STATUS  CLIENT          BRANCH  TITLE
      session-00000000-000000-0001              just now     3  ended   carryon-append  -       First
      session-00000000-000000-0003-another-way  just now     1  open    carryon-append  -       Another way

      Next:
        carryon show latest  read the newest session
        carryon sessions     list them all
        carryon fork latest  go on from it, leaving it as it is
      ",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "Another way
      session-00000000-000000-0003-another-way
      carryon-append · work · open · 1 message · <day> <clock>
      forked from session-00000000-000000-0001

      user #1 · <clock>
        one

      ",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "pinned
      ",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "ok   session-00000000-000000-0001  7 entries
      ok   session-00000000-000000-0003-another-way  1 entry
      2 sessions, 8 entries: all whole and unchanged.
      ",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "Store    <server>
      Content  2 sessions, schema <schema>
               <size>
      Server   PostgreSQL <version>

      ✓ No problem found.

      PROJECT  CLIENT          SESSIONS  ENTRIES   SIZE
      work     carryon-append         2        7  290 B
      ",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "session-00000000-000000-0001	First
      session-00000000-000000-0003-another-way	Another way
      ",
        },
      ]
    `);
    expect(await listHome(here.carryon)).toEqual(["key"]);
  });

  it("deletes and cleans", async () => {
    await using here = await openOnServer();
    const { ask, record } = here.carryon;
    const ids = [await record("one"), await record("two"), await record("three")];
    await ask(["tag", "three", "pinned"]);
    expect([
      await here.run(["delete", "one", "--yes"]),
      await here.run(["clean", "--older-than", "0s", "--yes"]),
    ]).toMatchInlineSnapshot(`
      [
        {
          "code": 0,
          "stderr": "Deleted session-00000000-000000-0001: 2 entries gone.
      ",
          "stdout": "",
        },
        {
          "code": 0,
          "stderr": "Deleted session-00000000-000000-0002: 2 entries gone.
      ",
          "stdout": "SESSION                       UPDATED   MSGS  STATUS  CLIENT          BRANCH  TITLE
      session-00000000-000000-0002  just now     1  ended   carryon-append  -       two
      ",
        },
      ]
    `);
    const { sessions } = JSON.parse(await ask(["sessions", "--json"]));
    expect(sessions.map((session: { id: string }) => session.id)).toEqual([ids[2]]);
  });

  it("says in JSON what it is, without what belongs to a file", async () => {
    await using here = await openOnServer();
    await here.carryon.record("one");
    const { store } = JSON.parse(await here.carryon.ask(["--json"]));
    const report = JSON.parse(await here.carryon.ask(["doctor", "--json"]));
    expect({ store, report }).toEqual({
      store: { path: here.database.shown, exists: true },
      report: {
        ...{
          path: here.database.shown,
          exists: true,
          bytes: expect.any(Number),
          walBytes: 0,
          freeBytes: null,
        },
        ...{
          schema: expect.any(Number),
          sqlite: null,
          postgres: expect.any(String),
          sessions: 1,
          problems: [],
        },
      },
    });
    expect(report.bytes).toBeGreaterThan(8192);
  });

  it("names damage", async () => {
    await using here = await openOnServer();
    await here.carryon.record("one");
    await here.database.query("DELETE FROM carryon.body");
    const { code, stdout } = await here.run(["doctor", "--json"]);
    expect({ code, problems: JSON.parse(stdout).problems }).toEqual({
      code: 74,
      problems: [
        {
          what: "The database is damaged: an entry has no body.",
          hint: "Make a copy with pg_dump first; `carryon verify` says which sessions are whole.",
        },
      ],
    });
    expect((await here.run(["verify"])).code).toBe(74);
  });

  it("leaves copying and replacing to the server's own tools", async () => {
    await using here = await openOnServer();
    await here.carryon.record("one");
    const refused = {
      code: 3,
      stdout: "",
      stderr:
        "carryon: The store <server> is on a PostgreSQL server, not in a file.\n" +
        "  Copy it with `pg_dump --schema=carryon` and bring it back with pg_restore: see docs/postgres.md.\n",
    };
    expect(await here.run(["backup", "copy.db"])).toEqual(refused);
    expect(await here.run(["restore", "copy.db", "--yes"])).toEqual(refused);
    expect(await here.run(["doctor", "--move-aside"])).toEqual(refused);
  });

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
        Check user, password, database and TLS in CARRYON_STORE or config.yaml.
      ",
        },
        {
          "code": 3,
          "stderr": "carryon: The store <server> refused the connection: this user lacks a right that Carryon needs.
        Check user, password, database and TLS in CARRYON_STORE or config.yaml.
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
    expect(JSON.parse((await carryon.run(["--json"])).stdout).store).toEqual({
      path: "<folder>/home/store.db",
      exists: true,
    });
  });

  it("that is wrong stops every command with exit code 3, and is not quoted", async () => {
    await using carryon = await openCarryon();
    await writeConfig(carryon, "stor: postgres://me:s3cret@db/x\n");
    expect([
      await carryon.run(["sessions"]),
      await carryon.run(["doctor", "--json"]),
      await carryon.run(["__complete", "show", ""]),
      await carryon.run(["sessions"], { env: { CARRYON_STORE: "mysql://me:s3cret@db/x" } }),
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
});
