import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDigests } from "../../src/digest/read-digests.ts";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";
import { openStore, openStoreForReading } from "../../src/storage/open-store.ts";
import { one, openWithSession, type TestLog, two } from "../contract/test-log.ts";
import { startChild } from "../support/child.ts";
import { countWords } from "../support/count-words.ts";
import { later, newFork, newSession, said } from "../support/entries.ts";
import { openPostgresTestLog } from "../support/postgres-test-log.ts";
import { tamper } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

/** Makes entries that say their numbers. */
function numbered(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    said(`e${from + index}`, `word ${from + index}`),
  );
}

/** Reads the digests of all sessions, by their ids. */
async function readAll(test: Pick<TestLog, "log" | "digests">, fold = countWords()) {
  const { sessions } = await test.log.list({ limit: 500 });
  return Object.fromEntries(await readDigests(test, sessions, fold));
}

const counted = (entries: number, lastWords = `word ${entries}`) => ({ from: "here", entries, lastWords });

describe.each([
  { engine: "SQLite", open: openSqliteTestLog },
  { engine: "PostgreSQL", open: openPostgresTestLog },
])("the digests of a store on $engine", ({ open }) => {
  it("follow the log, and only new entries are read", async () => {
    await using test = await openWithSession(open);
    await test.log.open(newSession("two", test.project));
    await test.log.append(one, numbered(1, 3));
    const fold = countWords();
    expect(await readAll(test, fold)).toEqual({ one: counted(3), two: counted(0, "") });
    expect(await readAll(test, fold)).toEqual({ one: counted(3), two: counted(0, "") });
    await test.log.append(one, numbered(4, 5));
    await test.reopen();
    expect(await readAll(test, fold)).toEqual({ one: counted(5), two: counted(0, "") });
    expect(fold.given).toEqual([
      [1, 3],
      [4, 5],
    ]);
  });

  it("are made of the first sessions up to a limit; the others are as they are kept, or left out", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, numbered(1, 3));
    await readAll(test);
    await test.log.append(one, numbered(4, 4));
    await test.log.open(newSession("two", test.project), numbered(1, 2));
    await test.log.open(newSession("three", test.project), numbered(1, 2));
    const { sessions } = await test.log.list();
    const inOrder = ["two", "three", "one"].flatMap((id) => sessions.filter((session) => session.id === id));
    const read = async () =>
      Object.fromEntries(await readDigests(test, inOrder, countWords(), { mostEntries: 2 }));
    expect(await read()).toEqual({ two: counted(2), one: counted(3) });
    expect(await read()).toEqual({ two: counted(2), three: counted(2), one: counted(3) });
    expect(await read()).toEqual({ two: counted(2), three: counted(2), one: counted(4) });
  });

  it("are made anew by rules of a newer version, and not kept by those of an older one", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, numbered(1, 3));
    await readAll(test, countWords(1));
    const [newer, older] = [countWords(2), countWords(1)];
    for (const fold of [newer, older, newer]) expect(await readAll(test, fold)).toEqual({ one: counted(3) });
    expect([newer.given, older.given]).toEqual([[[1, 3]], [[1, 3]]]);
  });

  it("cover what a fork shares, at the places that it has there", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, numbered(1, 4));
    await test.log.fork({ ...newFork("two"), at: parseEntryId("e2") });
    await readAll(test);
    await test.log.append(two, [said("f", "forked")]);
    const fold = countWords();
    expect(await readAll(test, fold)).toEqual({ one: counted(4), two: counted(3, "forked") });
    expect(fold.given).toEqual([[3, 3]]);
  });

  it("are the same for any division of the entries into appends", async () => {
    await using test = await open();
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 4 }), { maxLength: 6 }), async (sizes) => {
        made += 1;
        const session = await test.log.open(newSession(`any-${made}`, test.project));
        let entries = 0;
        for (const size of sizes) {
          await test.log.append(session.id, numbered(entries + 1, entries + size));
          entries += size;
          const now = [{ ...session, entries }];
          expect((await readDigests(test, now, countWords())).get(session.id)).toEqual(
            counted(entries, entries === 0 ? "" : `word ${entries}`),
          );
        }
      }),
      { numRuns: 15 },
    );
  });

  it("hold nothing of what was scrubbed, and leave out what was deleted", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [...numbered(1, 2), said("s", "hunter22")]);
    await test.log.open(newSession("two", test.project));
    const { sessions } = await test.log.list();
    await readAll(test);
    await test.scrubber.replace(literalPattern("hunter22"), later(1));
    await test.log.delete(two, later(2));
    const states = Object.fromEntries(await readDigests(test, sessions, countWords()));
    const lastWords = expect.stringMatching(/^\[redacted:scrubbed:[0-9a-f]{8}\]$/);
    expect(states).toMatchObject({ one: { entries: 4, lastWords } });
    const { digests } = await test.digests.read([one, two]);
    expect(digests.map(({ session, seq, body }) => [session, seq, JSON.parse(body)])).toEqual([
      ["one", 4, states.one],
    ]);
  });

  it("are right when several read them while entries are added", async () => {
    await using test = await openWithSession(open);
    const reading: Promise<unknown>[] = [];
    for (let entry = 1; entry <= 30; entry += 1) {
      await test.log.append(one, numbered(entry, entry));
      reading.push(readAll(test), readAll(test));
    }
    await Promise.all(reading);
    expect(await readAll(test)).toEqual({ one: counted(30) });
    expect((await test.digests.read([one])).digests).toMatchObject([{ seq: 30 }]);
  });
});

it("a process that is killed loses little, and another one goes on", async () => {
  await using dir = await tempDir();
  const home = dir.join("home");
  await using store = await openStore(home);
  const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  await store.log.open(newSession("one", project.id));
  for (let from = 1; from <= 12_000; from += 2000) await store.log.append(one, numbered(from, from + 1999));
  await using child = startChild("digest-child.ts", home, "11000");
  expect(await child.ended()).toBe("SIGKILL");
  expect((await store.digests.read([one])).digests).toMatchObject([{ seq: 10_000 }]);
  const fold = countWords();
  expect(await readAll(store, fold)).toEqual({ one: counted(12_000) });
  // Few entries are in memory at once.
  expect(fold.given).toEqual([
    [10_001, 10_500],
    [10_501, 11_000],
    [11_001, 11_500],
    [11_501, 12_000],
  ]);
  expect(await store.log.verify(one)).toMatchObject({ entries: 12_000, problem: null });
});

describe("on SQLite", () => {
  it("a store that can only be read answers, and keeps nothing", async () => {
    await using dir = await tempDir();
    {
      await using store = await openStore(dir.path);
      const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
      await store.log.open(newSession("one", project.id), numbered(1, 3));
    }
    await using store = await openStoreForReading(dir.path);
    const fold = countWords();
    for (let time = 0; time < 2; time += 1) expect(await readAll(store, fold)).toEqual({ one: counted(3) });
    expect(fold.given).toEqual([
      [1, 3],
      [1, 3],
    ]);
  });

  it.each(["UPDATE session_digest SET body = '{\"from'", "UPDATE session_digest SET seq = 'three'"])(
    "a damaged digest does not count, after %s",
    async (sql) => {
      await using dir = await tempDir();
      await using store = await openStore(dir.path);
      const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
      await store.log.open(newSession("one", project.id), numbered(1, 3));
      await readAll(store);
      tamper(dir.path, sql);
      await store.log.append(one, numbered(4, 4));
      expect(await readAll(store)).toEqual({ one: counted(4) });
    },
  );

  it("a damaged session has the digest of the entries before the damage, and the others have theirs", async () => {
    await using dir = await tempDir();
    await using store = await openStore(dir.path);
    const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
    await store.log.open(newSession("one", project.id), numbered(1, 3));
    await store.log.open(newSession("two", project.id), numbered(4, 5));
    tamper(dir.path, "DELETE FROM entry WHERE session_key = 1 AND seq = 3");
    expect(await readAll(store)).toEqual({ one: counted(2), two: counted(2, "word 5") });
  });
});
