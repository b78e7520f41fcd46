import { describe, expect, it } from "vitest";
import { listHome, openOnServer } from "../support/on-server.ts";

const schemas = "SELECT nspname FROM pg_namespace WHERE nspname = 'carryon'";

describe("a store on PostgreSQL that has nothing yet", () => {
  it("is named, and reading makes nothing", async () => {
    await using here = await openOnServer();
    expect([
      await here.run([]),
      await here.call(["sessions"]),
      await here.call(["show", "latest"]),
      await here.call(["verify"]),
      await here.call(["doctor", "--usage"]),
      await here.call(["__complete", "show", ""]),
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
        carryon init           record what Claude Code does here
        carryon chat           talk to a model
        carryon append --help  record a session of another tool
      ",
        },
        {
          "code": 0,
          "stderr": "No sessions. \`carryon init\` records Claude Code from now on, \`carryon import claude-code\` takes in what it has kept, \`carryon chat\` talks to a model, \`carryon append\` records any tool.
      \`carryon sessions --all\` lists those of all projects, \`carryon relink OLD_PATH\` brings them here if this folder has moved.
      ",
          "stdout": "",
        },
        {
          "code": 2,
          "stderr": "carryon: There is no store at <server> yet.
        \`carryon import claude-code\` takes in what Claude Code has, \`carryon init\` records it from now on, \`carryon append\` any tool; \`carryon tour\` shows how.
      ",
          "stdout": "",
        },
        {
          "code": 2,
          "stderr": "carryon: There is no store at <server> yet.
        \`carryon import claude-code\` takes in what Claude Code has, \`carryon init\` records it from now on, \`carryon append\` any tool; \`carryon tour\` shows how.
      ",
          "stdout": "",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "Store    <server>
      Content  nothing recorded yet
      Server   PostgreSQL <version>
      Hooks    not installed here; \`carryon init\` records Claude Code

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
      await here.call(["append", "--session", id], { input: '{"role":"user","text":"three"}\n' }),
    ).toEqual({
      code: 0,
      stderr: "",
      stdout: '{"session":"session-00000000-000000-0001"}\n{"seq":4,"id":"ent_0002"}\n',
    });
    const fork = (await ask(["fork", id, "--at", "1", "--title", "Another way"])).trim();
    await ask(["rename", id, "First"]);
    await ask(["tag", id, "pinned"]);
    expect([
      await here.call([]),
      await here.call(["show", fork]),
      await here.call(["tag", id]),
      await here.call(["verify"]),
      await here.call(["doctor", "--usage"]),
      await here.call(["__complete", "show", "session"]),
    ]).toMatchInlineSnapshot(`
      [
        {
          "code": 0,
          "stderr": "",
          "stdout": "Open work:
        First (interrupted, just now)
          Go on with the interrupted request: "three"
          carryon show session-00000000-000000-0001
        \`carryon digest ID --done\` takes work off this list.

      Project  work
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
      Search   <size>, 7 entries behind: the next search takes them in
      Hooks    not installed here; \`carryon init\` records Claude Code

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
      await here.call(["delete", "one", "--yes"]),
      await here.call(["clean", "--older-than", "0s", "--yes"]),
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
          search: { bytes: expect.any(Number), documents: 0, behind: 2, leftOut: [] },
          hooks: [],
          problems: [],
          notes: [],
          deleted: [],
        },
      },
    });
    expect(report.bytes).toBeGreaterThan(8192);
  });

  it("names damage", async () => {
    await using here = await openOnServer();
    await here.carryon.record("one");
    await here.database.query("DELETE FROM carryon.body");
    const { code, stdout } = await here.call(["doctor", "--json"]);
    expect({ code, problems: JSON.parse(stdout).problems }).toEqual({
      code: 74,
      problems: [
        {
          what: "The database is damaged: an entry has no body.",
          hint: "Make a copy with pg_dump first; `carryon verify` says which sessions are whole.",
        },
      ],
    });
    expect((await here.call(["verify"])).code).toBe(74);
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
    expect(await here.call(["backup", "copy.db"])).toEqual(refused);
    expect(await here.call(["restore", "copy.db", "--yes"])).toEqual(refused);
    expect(await here.call(["doctor", "--move-aside"])).toEqual(refused);
  });
});
