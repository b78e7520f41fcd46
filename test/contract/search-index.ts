import fc from "fast-check";
import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";
import { mergedId, noteIds } from "../../src/sessions/merged-id.ts";
import { ownFrames } from "../../src/sessions/own-echo.ts";
import { textsOf } from "../../src/storage/search/entry-texts.ts";
import { makeMatcher } from "../../src/storage/search/match-texts.ts";
import { parseQuery } from "../../src/storage/search/parse-query.ts";
import { anyCharacter } from "../support/any-character.ts";
import { collect, later, newFork, newSession, said, start } from "../support/entries.ts";
import { anyQuery, anyWords, findIds, findPlaces, pages } from "../support/search-answers.ts";
import { corpus, queries } from "../support/search-corpus.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

/** What every engine must do about searching. */
export function searchIndexContract(open: () => Promise<TestLog>): void {
  it("finds exactly what a query means, in a corpus of many scripts", async () => {
    await using test = await openCorpus(open);
    const expected = queries.map(([query, ids]) => [query, [...ids].toSorted()]);
    for (const order of ["newest", "relevance"] as const) {
      const found: unknown[] = [];
      for (const [query] of queries) found.push([query, await findIds(test, { query, order })]);
      expect(found).toEqual(expected);
    }
  });

  it("finds what a matcher finds that reads every text, for any texts and queries", async () => {
    await using test = await open();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyWords, { maxLength: 6 }),
        fc.array(anyQuery, { maxLength: 6 }),
        async (texts, asked) => {
          count += 1;
          const { id } = await test.log.open(newSession(`any-${count}`, test.project));
          await test.log.append(
            id,
            texts.map((text, index) => said(`e${index}`, text)),
          );
          for (const query of asked) {
            const { items, filters } = parseQuery(query, start);
            const entries = items.length + filters.length === 0 ? [] : await collect(test.log.read(id));
            const match = makeMatcher(items);
            const hasAll = (texts: readonly string[]) =>
              new Set(match(texts).map(({ item }) => item)).size === items.length;
            const expected = entries
              .filter((entry) => hasAll(textsOf(entry)?.texts ?? []))
              .map(({ id }) => id);
            expect(await findIds(test, { query, session: id })).toEqual(expected);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it("takes every query as plain text, whatever is in it", async () => {
    await using test = await openCorpus(open);
    const anyText = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc
        .array(fc.constantFrom(...`" * ( ) : ' \\ NOT NEAR & | ! <-> \0 - login`.split(" ")), {
          maxLength: 30,
        })
        .map((all) => all.join("")),
    );
    await fc.assert(
      fc.asyncProperty(anyText, async (query) => {
        await test.search.search({ query });
        await test.search.search({ query, order: "relevance" });
      }),
      { numRuns: 40 },
    );
    for (const query of [
      '"'.repeat(10_000),
      "(".repeat(10_000),
      "login ".repeat(2000),
      `"${"login ".repeat(2000)}"`,
      "数".repeat(10_000),
    ])
      expect((await test.search.search({ query })).next).toBeNull();
  });

  it("answers newest first or by relevance, page by page", async () => {
    await using test = await openWithSession(open);
    const texts = [
      "alpha beta",
      "beta and alpha",
      "alpha",
      "beta alpha",
      "alpha beta again",
      "alpha, then beta",
    ];
    await test.log.append(
      one,
      texts.map((text, index) => said(`m${index}`, text, { at: later(index) })),
    );
    const answered = {
      kind: "message",
      role: "assistant",
      parts: [{ type: "text", text: "alpha beta" }],
    } as const;
    await test.log.append(one, [{ ...answered, id: parseEntryId("z"), at: later(9) }]);
    const all = ["z", "m5", "m4", "m3", "m1", "m0"];
    expect(await pages(test, { query: "alpha beta", limit: 2 })).toEqual([
      ["z", "m5"],
      ["m4", "m3"],
      ["m1", "m0"],
    ]);
    expect(await pages(test, { query: "alpha beta" })).toEqual([all]);
    expect(await pages(test, { query: "alpha beta", order: "relevance", limit: 4 })).toEqual([
      ["z", "m3", "m1", "m5"],
      ["m4", "m0"],
    ]);
    const scoresOf = async (order: "newest" | "relevance") =>
      (await test.search.search({ query: "alpha beta", order })).hits.map(({ score }) => score);
    expect(await scoresOf("newest")).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await scoresOf("relevance")).toEqual([109, 101, 95, 93, 92, 51]);
    await expect(test.search.search({ query: "alpha", cursor: "nonsense" })).rejects.toMatchObject({
      code: "bad-cursor",
    });
  });

  it("orders what one entry says in several documents by what it says as a whole", async () => {
    await using test = await openWithSession(open);
    const filler = Array.from({ length: 5000 }, (_, index) => `w${index}`).join(" ");
    await test.log.append(one, [
      said("far", `alpha ${filler} beta`, { at: later(1) }),
      said("near", `beta ${filler} alpha beta`, { at: later(2) }),
      said("both", "beta alpha", { at: later(3) }),
    ]);
    expect(await pages(test, { query: "alpha beta", order: "relevance", limit: 1 })).toEqual([
      ["both"],
      ["near"],
      ["far"],
    ]);
    expect(await pages(test, { query: "alpha beta", limit: 1 })).toEqual([["both"], ["near"], ["far"]]);
  });

  it("finds what was appended since, and indexes nothing twice when several catch up at once", async () => {
    await using test = await openWithSession(open);
    const entries = Array.from({ length: 300 }, (_, index) => said(`e${index}`, `word${index} common`));
    await test.log.append(one, entries);
    const taken = await Promise.all([test.search.catchUp(), test.search.catchUp(), test.search.catchUp()]);
    expect(taken.reduce((sum, each) => sum + each, 0)).toBe(300);
    expect(await test.search.describe()).toMatchObject({ documents: 300, behind: 0 });
    await test.log.append(one, [said("late", "word299 late")]);
    expect((await test.search.describe()).behind).toBe(1);
    expect(await findIds(test, { query: "word299" })).toEqual(["e299", "late"]);
    expect(await test.search.rebuild()).toBe(301);
    expect(await findIds(test, { query: "word299" })).toEqual(["e299", "late"]);
    expect((await test.search.describe()).documents).toBe(301);
  });

  it("finds everything while others write", async () => {
    await using test = await openWithSession(open);
    const writing = Array.from({ length: 30 }, (_, index) =>
      test.log.append(one, [said(`w${index}`, `written ${index}`)]),
    );
    const found = await Promise.all(
      writing.map(async (each, index) => {
        await each;
        return (await findIds(test, { query: `written ${index}` })).includes(`w${index}`);
      }),
    );
    expect(found.every(Boolean)).toBe(true);
  });

  it("finds nothing of a session that was deleted, and what a fork shares in the fork", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "shared thing"), said("b", "private thing")]);
    await test.log.fork({ ...newFork("two"), at: parseEntryId("a") });
    await test.log.append(two, [said("c", "forked thing", { at: later(1) })]);
    expect(await findPlaces(test, "thing")).toEqual(["two#2", "one#2", "one#1"]);
    expect(await findPlaces(test, "thing", { session: two })).toEqual(["two#2", "one#1"]);
    await test.log.delete(one, later(5));
    expect(await findPlaces(test, "thing")).toEqual(["two#2", "two#1"]);
    expect(await findPlaces(test, "thing client:codex")).toEqual([]);
    await test.log.delete(two, later(6));
    expect(await findPlaces(test, "thing")).toEqual([]);
    expect(await test.search.describe()).toMatchObject({ documents: 0, behind: 0 });
  });

  it("indexes what a deleted session leaves to its fork, also when that comes before the first search", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "shared thing"), said("b", "private thing")]);
    await test.log.fork({ ...newFork("two"), at: parseEntryId("a") });
    await test.log.delete(one, later(5));
    expect(await findPlaces(test, "thing")).toEqual(["two#1"]);
  });

  it("finds no word of a secret after a scrub, and everything else as before", async () => {
    await using test = await open();
    await test.log.open(newSession("one", test.project, { title: "About hunter2secret things" }));
    await test.log.append(one, [said("a", "the password hunter2secret is here"), said("b", "nothing here")]);
    expect(await findIds(test, { query: "hunter2secret" })).toEqual(["", "a"]);
    await test.scrubber.replace(literalPattern("hunter2secret"), later(9));
    expect(await findIds(test, { query: "hunter2secret" })).toEqual([]);
    expect(await findIds(test, { query: "hunter2*" })).toEqual([]);
    expect(await findIds(test, { query: "password here" })).toEqual(["a"]);
    expect(await findIds(test, { query: "about things" })).toEqual([""]);
  });

  it("shows once what a hook saw and the transcript has too", async () => {
    await using test = await openWithSession(open);
    const hooks = { strand: "hooks" as never };
    const seen = (id: string, prompt: string) => ({
      ...said(id, ""),
      ...hooks,
      kind: "event" as const,
      event: "prompt-seen",
      data: { prompt },
    });
    await test.log.append(one, [seen("s1", "marmalade first"), seen("s2", "marmalade second")]);
    expect(await findIds(test, { query: "marmalade role:user" })).toEqual(["s1", "s2"]);
    await test.log.append(one, [
      said("a", "marmalade first"),
      { ...said("found-s1", ""), ...hooks, kind: "event", event: "found", data: { entry: "s1" } },
    ]);
    expect(await findIds(test, { query: "marmalade" })).toEqual(["a", "s2"]);
    expect(await test.search.describe()).toMatchObject({ documents: 2 });
    expect(await test.search.rebuild()).toBe(4);
    expect(await findIds(test, { query: "marmalade" })).toEqual(["a", "s2"]);
  });

  it("tells once what a merge has copied, and nothing of what it notes about itself", async () => {
    await using test = await openWithSession(open);
    await test.log.open(newSession("two", test.project, { branch: "side" }));
    const copied = (id: string) => mergedId({ session: one, id: parseEntryId(id) });
    await test.log.append(one, [said("a", "treasure map"), said("b", "treasure chest", { at: later(2) })]);
    await test.log.append(two, [
      said(noteIds("key").begin, "treasure note"),
      said(copied("a"), "treasure map"),
      said(copied("b"), "treasure chest", { at: later(2) }),
      said("c", "treasure island", { at: later(3) }),
    ]);
    expect(await findPlaces(test, "treasure")).toEqual(["two#4", "one#2", "one#1"]);
    expect(await pages(test, { query: "treasure", limit: 1 })).toEqual([["c"], ["b"], ["a"]]);
    expect(await findPlaces(test, "treasure", { session: two })).toEqual(["two#4", "two#3", "two#2"]);
    expect(await findPlaces(test, "treasure branch:side")).toEqual(["two#4", "two#3", "two#2"]);
    await test.log.delete(one, later(9));
    expect(await findPlaces(test, "treasure map")).toEqual(["two#2"]);
  });

  it("finds nothing that Carryon itself put into a session, marked or known by its frame", async () => {
    await using test = await openWithSession(open);
    const answered = (id: string, output: string, more: object = {}) => ({
      ...said(id, ""),
      ...{ role: "tool" as const, parts: [{ type: "tool-result" as const, call: "c", output }], ...more },
    });
    await test.log.append(one, [
      said("asked", "Where is the treasure?"),
      answered("marked", "treasure of an earlier session", { echo: true }),
      answered("framed", `${ownFrames[1]}\n\ntreasure of an earlier session`),
      answered("found", "treasure.txt"),
    ]);
    expect(await findIds(test, { query: "treasure" })).toEqual(["asked", "found"]);
    expect(await test.search.describe()).toMatchObject({ documents: 2, behind: 0, leftOut: [] });
  });

  it("finds sessions under the project that they belong to by now, and no records of documents", async () => {
    await using test = await openWithSession(open);
    const { id: other } = await test.projects.recognise({ identities: ["path:/other"], name: "other" });
    await test.log.open(newSession("two", other));
    await test.log.append(one, [said("a", "treasure")]);
    await test.log.append(two, [said("b", "treasure")]);
    await test.log.open(newSession("record", test.project, { client: "carryon-handover" }), [
      said("r", "treasure"),
    ]);
    expect(await findIds(test, { query: "treasure", project: test.project })).toEqual(["a"]);
    expect(await findIds(test, { query: "treasure project:other", project: test.project })).toEqual(["b"]);
    await test.projects.recognise({ identities: ["path:/test", "path:/other"], name: "test" });
    expect(await findIds(test, { query: "treasure", project: test.project })).toEqual(["a", "b"]);
    expect(await findIds(test, { query: "treasure" })).toEqual(["a", "b"]);
  });
}

async function openCorpus(open: () => Promise<TestLog>): Promise<TestLog> {
  const test = await openWithSession(open);
  await test.log.append(one, corpus);
  return test;
}
