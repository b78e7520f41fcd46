import { mkdir, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/storage/open-store.ts";
import { newSession, said } from "../support/entries.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

/** Changes the body of one entry behind the back of the store. */
function tamper(carryon: Carryon, text: string): void {
  const db = new DatabaseSync(join(carryon.folder, "home", "store.db"));
  db.prepare("UPDATE body SET json = replace(json, ?, 'forged')").run(text);
  db.close();
}

/** Puts a file in the place of the store that is none. */
async function breakStore(carryon: Carryon): Promise<void> {
  await mkdir(join(carryon.folder, "home"), { mode: 0o700 });
  await writeFile(join(carryon.folder, "home", "store.db"), "no database at all", { mode: 0o600 });
}

/** What depends on the machine is left out. */
const withoutDisk = (text: string) =>
  text
    .replace(/\d+\.\d+ .B free/, "<free>")
    .replace(/3\.\d+\.\d+/, "<sqlite>")
    .replace(/"freeBytes":\d+/, '"freeBytes":0');

describe("verify", () => {
  it("says of each session that it is whole", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one", "two");
    await carryon.ask(["fork", "latest", "--at", "1"]);
    expect(await carryon.call(["verify"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "ok   session-00000000-000000-0001  1 entry
      ok   session-00000000-000000-0002  3 entries
      2 sessions, 4 entries: all whole and unchanged.
      ",
      }
    `);
    expect(JSON.parse((await carryon.call(["verify", "latest", "--json"])).stdout)).toMatchInlineSnapshot(`
      {
        "ok": true,
        "sessions": [
          {
            "entries": 1,
            "head": "<hash>",
            "problem": null,
            "scrubbed": 0,
            "session": "session-00000000-000000-0001",
          },
        ],
      }
    `);
  });

  it("looks at the records of documents too, which no list of sessions shows", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    await using store = await openStore(join(carryon.folder, "home"));
    const [project] = await store.projects.list();
    const start = newSession("record", project?.id ?? ("" as never), { client: "carryon-handover" });
    await store.log.open(start, [said("a", "kept")]);
    const { sessions } = JSON.parse(await carryon.ask(["verify", "--json"]));
    expect(sessions).toHaveLength(2);
    expect(sessions[1]).toMatchObject({ session: "record", entries: 1, problem: null });
    expect(await carryon.ask(["sessions", "--all", "--json"])).not.toContain("carryon-handover");
  });

  it("names the first bad entry of each session, and exits with 74", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one", "two", "three");
    await carryon.record("another");
    tamper(carryon, "two");
    expect(await carryon.call(["verify"])).toMatchInlineSnapshot(`
      {
        "code": 74,
        "stderr": "carryon: 1 session did not verify.
        What comes before the named entry is intact; a backup may have the rest. See \`carryon doctor\`.
      ",
        "stdout": "ok   session-00000000-000000-0001  2 entries
      BAD  session-00000000-000000-0002  entry 2 (ent_0003): its content does not match its hash
      2 sessions, 1 of them damaged.
      ",
      }
    `);
    const { code, stdout, stderr } = await carryon.call(["verify", "--json"]);
    expect({ code, answer: JSON.parse(stdout), error: JSON.parse(stderr) }).toMatchInlineSnapshot(`
      {
        "answer": {
          "ok": false,
          "sessions": [
            {
              "entries": 2,
              "head": "<hash>",
              "problem": null,
              "scrubbed": 0,
              "session": "session-00000000-000000-0001",
            },
            {
              "entries": 1,
              "head": "<hash>",
              "problem": {
                "entry": "ent_0003",
                "reason": "its content does not match its hash",
                "seq": 2,
              },
              "scrubbed": 0,
              "session": "session-00000000-000000-0002",
            },
          ],
        },
        "code": 74,
        "error": {
          "error": {
            "code": "verification-failed",
            "hint": "What comes before the named entry is intact; a backup may have the rest. See \`carryon doctor\`.",
            "message": "1 session did not verify.",
          },
        },
      }
    `);
  });
});

describe("doctor", () => {
  it("finds nothing wrong with a good store, and refuses to move it", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const { code, stdout, stderr } = await carryon.call(["doctor", "--usage"]);
    expect({
      code,
      stdout: withoutDisk(stdout)
        .replace(/[\d.]+ kB/g, "<size>")
        .replace(/schema \d+/, "schema <number>"),
      stderr,
    }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Store    <folder>/home/store.db
      Content  1 session, schema <number>
               <size>
      Disk     <free>
      SQLite   <sqlite>
      Search   <size>, 2 entries behind: the next search takes them in
      Hooks    not installed here; \`carryon init\` records Claude Code

      ✓ No problem found.

      PROJECT  CLIENT          SESSIONS  ENTRIES  SIZE
      work     carryon-append         1        2  81 B
      ",
      }
    `);
    expect(await carryon.call(["doctor", "--move-aside"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: The store can be read, so it was left where it is.
        To begin a new one all the same, set CARRYON_HOME to another folder.
      ",
        "stdout": "",
      }
    `);
  });

  it("is content before there is a store", async () => {
    await using carryon = await openCarryon();
    const { code, stdout } = await carryon.call(["doctor", "--usage", "--json"]);
    const { sqlite, ...report } = JSON.parse(stdout);
    expect({ code, sqlite: typeof sqlite, report }).toEqual({
      code: 0,
      sqlite: "string",
      report: {
        ...{ path: "<folder>/home/store.db", exists: false, bytes: 0, walBytes: 0, freeBytes: null },
        ...{
          schema: null,
          postgres: null,
          search: null,
          sessions: null,
          hooks: [],
          problems: [],
          notes: [],
          deleted: [],
        },
      },
    });
  });

  it("names a store that was emptied, which no command takes for a new one", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    await truncate(join(carryon.folder, "home", "store.db"), 0);
    for (const args of [["sessions"], ["verify"], ["append"], ["backup", "copy.db"]])
      expect(await carryon.call(args, { input: '{"role":"user","text":"two"}\n' })).toMatchObject({
        code: 74,
        stdout: "",
        stderr: expect.stringMatching(
          /it is empty, although there was a store here.*\n {2}Put the file back.*`carryon restore`.*--move-aside/,
        ),
      });
    expect(await carryon.call(["doctor"])).toMatchObject({
      code: 74,
      stdout: expect.stringMatching(/✗ The store .* it is empty.*\n.*`carryon restore`.*--move-aside/),
    });
    expect((await stat(join(carryon.folder, "home", "store.db"))).size).toBe(0);
    expect(await carryon.call(["doctor", "--move-aside"])).toMatchObject({ code: 0 });
    await carryon.record("a new beginning");
  });

  it("names a missing key, without which nothing is written, and makes a new one on demand", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const key = join(carryon.folder, "home", "key");
    await rm(key);
    const input = '{"role":"user","text":"two"}\n';
    expect(await carryon.call(["append"], { input })).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "carryon: The key <folder>/home/key is missing, although the store has sessions. Nothing was changed.
        Put it back from a copy of the folder. If it is lost, make a new one with \`carryon doctor --new-key\`: everything stays readable.
      ",
        "stdout": "",
      }
    `);
    expect(await carryon.call(["show", "latest"])).toMatchObject({ code: 0 });
    expect(await carryon.call(["search", "one"])).toMatchObject({
      code: 0,
      stderr:
        "The search index could not be brought up to date: 2 entries were read without it. `carryon doctor` says why.\n",
    });
    expect(await carryon.call(["doctor"])).toMatchObject({
      code: 74,
      stdout: expect.stringMatching(/✗ The key \S+ is missing.*\n.*`carryon doctor --new-key`/),
    });
    expect(await carryon.call(["doctor", "--new-key"])).toMatchObject({ code: 0 });
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    expect(await carryon.call(["append", "--session", "latest"], { input })).toMatchObject({ code: 0 });
  });

  it("says of a damaged key what really brings a new one", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const key = join(carryon.folder, "home", "key");
    await writeFile(key, "short");
    const input = '{"role":"user","text":"two"}\n';
    expect(await carryon.call(["append"], { input })).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "carryon: The key <folder>/home/key is damaged: it must be 32 bytes long.
        Put it back from a copy of the folder. If it is lost, move the file aside and run \`carryon doctor --new-key\`: everything stays readable.
      ",
        "stdout": "",
      }
    `);
    await rename(key, `${key}.old`);
    expect(await carryon.call(["doctor", "--new-key"])).toMatchObject({ code: 0 });
    expect(await carryon.call(["append"], { input })).toMatchObject({ code: 0 });
  });

  it("names what is wrong with a file that is no store, and moves it aside on demand", async () => {
    await using carryon = await openCarryon();
    await breakStore(carryon);
    const sessions = await carryon.call(["sessions"]);
    const doctor = await carryon.call(["doctor", "--usage"]);
    expect([sessions, { ...doctor, stdout: withoutDisk(doctor.stdout) }]).toMatchInlineSnapshot(`
      [
        {
          "code": 74,
          "stderr": "carryon: The store <folder>/home/store.db cannot be read: file is not a database. It was left as it is.
        Run \`carryon doctor\`: it names what is damaged. \`carryon export ID\` may still bring single sessions.
      ",
          "stdout": "",
        },
        {
          "code": 74,
          "stderr": "carryon: 1 problem found.
      ",
          "stdout": "Store    <folder>/home/store.db
      Content  cannot be read
               18 B
      Disk     <free>
      SQLite   <sqlite>
      Hooks    not installed here; \`carryon init\` records Claude Code

      ✗ The store <folder>/home/store.db cannot be read: file is not a database. It was left as it is.
        Bring a backup back with \`carryon restore\`, which keeps the damaged file. Without a backup, \`carryon doctor --move-aside\` renames it, so that a new store can begin; nothing is deleted.
      ",
        },
      ]
    `);
    const { code, stdout, stderr } = await carryon.call(["doctor", "--move-aside", "--json"]);
    expect({ code, stderr, movedTo: JSON.parse(stdout).movedTo }).toEqual({
      code: 0,
      stderr: "The store was moved to <folder>/home/store.db.aside-<stamp>\n",
      movedTo: "<folder>/home/store.db.aside-<stamp>",
    });
    await carryon.record("a new beginning");
  });
});
