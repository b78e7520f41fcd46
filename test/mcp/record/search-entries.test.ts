import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../../src/conversation/ids.ts";
import type { ProjectId } from "../../../src/conversation/project.ts";
import { searchEntries } from "../../../src/mcp/record/search-entries.ts";
import type { TestLog } from "../../contract/test-log.ts";
import { later, newFork, newSession, said, start } from "../../support/entries.ts";
import { openPostgresTestLog } from "../../support/postgres-test-log.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

function recordOf({ log, project }: TestLog, id: ProjectId = project) {
  return { log, project: { id, name: "test" }, now: later(60), talk: "" };
}

/** Looks for words page by page, and returns the places where they are, and how often it was asked. */
async function findAll(test: TestLog, query: string, limits: { limit: number; most: number }) {
  const places: string[] = [];
  let cursor: string | undefined;
  let looks = 0;
  do {
    const { hits, next } = await searchEntries(recordOf(test), {
      words: query.split(" "),
      cursor,
      ...limits,
    });
    places.push(...hits.map(({ session, entry }) => `${session.id} ${entry?.seq ?? "title"}`));
    cursor = next;
    looks += 1;
  } while (cursor !== undefined);
  return { places, looks };
}

const engines = [
  { engine: "SQLite", open: openSqliteTestLog },
  { engine: "PostgreSQL", open: openPostgresTestLog },
];

describe.each(engines)("a search on $engine", ({ open }) => {
  it("finds entries and titles with all words, in any case and order, the sessions that began last first", async () => {
    await using test = await open();
    const { log, project } = test;
    await log.open(newSession("one", project, { title: "Cold tea" }), [
      said("a", "Tea and COLD milk"),
      said("b", "tea"),
    ]);
    await log.open(newSession("two", project, { startedAt: later(5), title: "2" }), [
      said("c", "colder teapots"),
    ]);
    expect((await findAll(test, "cold tea", { limit: 50, most: 100 })).places).toEqual([
      "two 1",
      "one title",
      "one 1",
    ]);
  });

  it("looks at what a fork shares once, and at all of it when its origin is gone", async () => {
    await using test = await open();
    const { log, project } = test;
    await log.open(newSession("one", project, { title: "1" }), [said("a", "tea")]);
    await log.fork({ ...newFork("two"), startedAt: later(5) });
    await log.append(parseSessionId("two"), [said("b", "more tea")]);
    const limits = { limit: 50, most: 100 };
    expect((await findAll(test, "tea", limits)).places).toEqual(["two 2", "one 1"]);
    await log.delete(parseSessionId("one"), later(9));
    expect((await findAll(test, "tea", limits)).places).toEqual(["two 1", "two 2"]);
  });

  it("knows nothing of other projects", async () => {
    await using test = await open();
    const { id } = await test.projects.recognise({ identities: ["path:/other"], name: "other" });
    await test.log.open(newSession("one", test.project, { title: "tea" }), [said("a", "tea")]);
    const found = await searchEntries(recordOf(test, id), { words: ["tea"], limit: 5, most: 5 });
    expect(found).toEqual({ hits: [], read: 0, next: undefined, unread: [] });
  });
});

it("leaves nothing out and finds nothing twice, however small its steps are and although sessions grow meanwhile", async () => {
  const anySessions = fc.array(fc.array(fc.constantFrom("tea", "milk"), { maxLength: 6 }), { maxLength: 5 });
  const small = fc.integer({ min: 1, max: 4 });
  await fc.assert(
    fc.asyncProperty(anySessions, small, small, async (sessions, limit, most) => {
      await using test = await openSqliteTestLog();
      for (const [number, texts] of sessions.entries()) {
        const entries = texts.map((text, index) => said(`e${number}-${index}`, text));
        await test.log.open(
          newSession(`s${number}`, test.project, { startedAt: later(number % 3) }),
          entries,
        );
      }
      const whole = await findAll(test, "tea", { limit: 1_000, most: 1_000 });
      const record = recordOf(test);
      const first = await searchEntries(record, { words: ["tea"], limit, most });
      // Which sessions changed last must not matter.
      for (const number of sessions.keys())
        await test.log.append(parseSessionId(`s${number}`), [
          said(`n${number}`, "milk", { at: later(99 - number) }),
        ]);
      const places = (hits: typeof first.hits) =>
        hits.map(({ session, entry }) => `${session.id} ${entry?.seq ?? "title"}`);
      const stepwise = places(first.hits);
      let cursor = first.next;
      while (cursor !== undefined) {
        const page = await searchEntries(record, { words: ["tea"], cursor, limit, most });
        stepwise.push(...places(page.hits));
        cursor = page.next;
      }
      expect(stepwise).toEqual(whole.places);
    }),
    { numRuns: 15 },
  );
});

it("shows the text around the first word on one line", async () => {
  await using test = await openSqliteTestLog();
  const text = `${"before ".repeat(60)}\nthe needle\n${"after ".repeat(60)}`;
  await test.log.open(newSession("one", test.project), [said("a", text)]);
  const { hits } = await searchEntries(recordOf(test), { words: ["needle"], limit: 1, most: 10 });
  expect(hits.map(({ entry, excerpt }) => [entry?.at, excerpt])).toEqual([
    [start, expect.stringMatching(/^….{100,200}before the needle after after.{100,200}…$/)],
  ]);
});

it("takes for no cursor what no search ended with", async () => {
  await using test = await openSqliteTestLog();
  const search = searchEntries(recordOf(test), { words: ["x"], cursor: "1.x", limit: 1, most: 1 });
  await expect(search).rejects.toThrow('"1.x" is no cursor.');
});
