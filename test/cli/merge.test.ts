import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { makeDatabase } from "../support/postgres-database.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { recordTwoWays } from "../support/two-ways.ts";

const entriesOf = async (carryon: Carryon, session: string) =>
  (JSON.parse(await carryon.ask(["show", session, "--json"])).entries as readonly { id: string }[]).map(
    ({ id }) => id,
  );

describe("merge", () => {
  it("prints only the id of the session that received, and lists what differs", async () => {
    await using carryon = await openCarryon();
    const { origin, fork } = await recordTwoWays(carryon);
    const before = await entriesOf(carryon, origin);
    expect(await carryon.call(["merge", origin, fork, "--dry-run"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Would merge 6 entries of session-00000000-000000-0002-try-tokens into session-00000000-000000-0001-the-login
      4 conflicts; both are kept:
        both changed src/login.ts
        decided differently: “D1: How to log in: cookies” and “D2: How to log in: tokens”
        the title is “The login” here and “Try tokens” there
        the tags are red here and blue there
      ",
        "stdout": "session-00000000-000000-0001-the-login
      ",
      }
    `);
    expect(await entriesOf(carryon, origin)).toEqual(before);
    expect(await carryon.call(["merge", origin, fork])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Merged 6 entries of session-00000000-000000-0002-try-tokens into session-00000000-000000-0001-the-login
      4 conflicts; both are kept:
        both changed src/login.ts
        decided differently: “D1: How to log in: cookies” and “D2: How to log in: tokens”
        the title is “The login” here and “Try tokens” there
        the tags are red here and blue there
      ",
        "stdout": "session-00000000-000000-0001-the-login
      ",
      }
    `);
    const after = await entriesOf(carryon, origin);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length - before.length).toBe(6 + 3);
    expect(await carryon.call(["merge", origin, fork])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "session-00000000-000000-0001-the-login has everything of session-00000000-000000-0002-try-tokens already.
      ",
        "stdout": "session-00000000-000000-0001-the-login
      ",
      }
    `);
    expect(await entriesOf(carryon, origin)).toEqual(after);
    expect((await carryon.call(["diff", origin, fork])).stdout).toContain("both changed src/login.ts");
    expect((await carryon.call(["show", origin])).stdout).toMatch(
      /4 conflicts; 6 entries of .*\n {2}! both changed src\/login\.ts\n {2}! decided differently/,
    );
    expect((await carryon.call(["verify"])).stdout).toContain("all whole and unchanged");
    expect((await carryon.call(["sessions"])).stdout).toMatch(/11 +ended .*The login/);
  });

  it("leaves both as they are when a fork is to receive, and brings both into a third session", async () => {
    await using carryon = await openCarryon();
    const { origin, fork } = await recordTwoWays(carryon);
    const [ones, others] = [await entriesOf(carryon, origin), await entriesOf(carryon, fork)];
    const both = (await carryon.ask(["merge", origin, fork, "--title", "Both ways"])).trim();
    expect(await entriesOf(carryon, both)).toEqual(expect.arrayContaining([...ones]));
    expect((await entriesOf(carryon, both)).length).toBe(ones.length + 6 + 2);
    expect([await entriesOf(carryon, origin), await entriesOf(carryon, fork)]).toEqual([ones, others]);
    expect((await carryon.call(["merge", origin, fork, "--title", "Again"])).stdout).not.toBe(`${origin}\n`);
    const third = await carryon.record("Elsewhere");
    expect(await carryon.ask(["merge", origin, fork, "--into", third])).toBe(`${third}\n`);
    const { left, right } = JSON.parse(await carryon.ask(["diff", third, fork, "--json"]));
    expect([left.session.title, right.own.entries]).toEqual(["Elsewhere", 0]);
    expect((await carryon.call(["merge", third, both, "--title", "x", "--into", third])).code).toBe(2);
    expect((await carryon.call(["verify"])).code).toBe(0);
  });

  it("joins a side path, of several the one that is named, and has nothing to do afterwards", async () => {
    await using carryon = await openCarryon();
    const talk = [
      { id: "a", role: "user", text: "root" },
      { id: "b", role: "user", text: "one way" },
      { id: "c", role: "user", text: "other way", parent: "a" },
      { id: "d", role: "user", text: "third way", parent: "a" },
    ];
    const [first = ""] = (await carryon.ask(["append"], talk)).split("\n");
    const { session } = JSON.parse(first);
    expect(await carryon.call(["merge", session, "--paths"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Session session-00000000-000000-0001 has 2 side paths.
        Name the one that is meant, as in \`carryon merge session-00000000-000000-0001 session-00000000-000000-0001@N\`:
          session-00000000-000000-0001@2  1 entry from #1 on, <day> <clock> – <clock>
          session-00000000-000000-0001@3  1 entry from #1 on, <day> <clock> – <clock>
      ",
        "stdout": "",
      }
    `);
    await carryon.ask(["merge", session, `${session}@2`]);
    expect(await carryon.ask(["merge", session, "--paths"])).toBe(`${session}\n`);
    expect(await carryon.call(["merge", session, "--paths"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Session session-00000000-000000-0001 has no side path that is to be joined.
      ",
        "stdout": "session-00000000-000000-0001
      ",
      }
    `);
    const texts = JSON.parse(await carryon.ask(["show", session, "--json"])).entries.flatMap(
      (entry: { parts?: readonly { text: string }[] }) => entry.parts?.map(({ text }) => text) ?? [],
    );
    expect(texts).toEqual(["root", "one way", "other way", "third way", "one way", "other way"]);
  });

  it("refuses one session alone, itself, a strand alone, and one that is open in its client", async () => {
    await using carryon = await openCarryon();
    const { origin, fork } = await recordTwoWays(carryon);
    const client = join(carryon.folder, ".claude");
    const session = "11111111-1111-4111-8111-111111111111";
    const row = {
      type: "user",
      sessionId: session,
      uuid: "u1",
      parentUuid: null,
      timestamp: "2026-01-01T00:00:00.000Z",
    };
    const rows = [{ ...row, cwd: join(carryon.folder, "work"), message: { role: "user", content: "hello" } }];
    await mkdir(join(client, "projects", "-work"), { recursive: true });
    await writeFile(join(client, "projects", "-work", `${session}.jsonl`), `${JSON.stringify(rows[0])}\n`);
    await carryon.ask(["import", "claude-code"]);
    await mkdir(join(client, "sessions"));
    const listed = join(client, "sessions", `${process.pid}.json`);
    await writeFile(listed, JSON.stringify({ pid: process.pid, sessionId: session }));
    for (const [args, code, said] of [
      [[origin], 2, "Two sessions are needed"],
      [[origin, origin], 2, "cannot be merged into itself"],
      [[origin, `${fork}:main`], 2, "A strand cannot be merged alone"],
      [[session, fork], 4, "open in Claude Code"],
    ] as const) {
      const { code: exit, stderr } = await carryon.call(["merge", ...args]);
      expect([exit, stderr.includes(said)]).toEqual([code, true]);
    }
    expect((await entriesOf(carryon, session)).filter((id) => id.startsWith("from-"))).toEqual([]);
    await writeFile(listed, "{}");
    const merged = await carryon.call(["merge", session, fork]);
    expect([merged.code, merged.stdout, merged.stderr]).toEqual([
      0,
      `${session}\n`,
      expect.stringContaining(`\`carryon resume ${session}\` writes one that has them, and goes on there.\n`),
    ]);
    const { stdout, stderr } = await carryon.call(["resume", session]);
    expect(stderr).toMatch(
      /written from the store.* Left out: note of a merge \(4\), call without a result \(1\), interrupted event \(1\)\.\n$/,
    );
    const [, native] = /--resume=(\S+)\n$/.exec(stdout) ?? [];
    const [folder = ""] = (await readdir(join(client, "projects"))).filter((name) => name !== "-work");
    expect(await readFile(join(client, "projects", folder, `${native}.jsonl`), "utf8")).toMatch(
      /hello.+Fix the login/s,
    );
    expect((await carryon.call(["verify", session])).code).toBe(0);
  });

  it("says that the sessions are of two projects", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["append", "--title", "Here"], [{ role: "user", text: "Hi" }]);
    const cwd = join(carryon.folder, "elsewhere");
    await mkdir(cwd);
    const input = '{"role":"user","text":"There"}\n';
    await carryon.call(["append", "--title", "There"], { cwd, input });
    const { code, stderr } = await carryon.call(["merge", "Here", "There"]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("They are of two projects: elsewhere and work.\n"),
    ]);
  });

  it("works on a store on PostgreSQL as on SQLite", async () => {
    await using database = await makeDatabase(inject("postgresUrl"));
    await using carryon = await openCarryon({ CARRYON_STORE: database.url });
    const { origin, fork } = await recordTwoWays(carryon);
    expect(await carryon.ask(["merge", origin, fork])).toBe(`${origin}\n`);
    const { right, merged } = JSON.parse(await carryon.ask(["diff", origin, fork, "--json"]));
    expect([right.own.entries, merged]).toEqual([0, 6]);
    expect((await carryon.call(["verify"])).code).toBe(0);
  });
});
