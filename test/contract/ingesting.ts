import fc from "fast-check";
import { expect, it } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseEntryId, parseStrand } from "../../src/sessions/ids.ts";
import { findGiven, type IngestBatch, nativeSource, type Source } from "../../src/sessions/ingestion.ts";
import { collect, idsOf, later, newFork, newSession, said, start } from "../support/entries.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

const source: Source = { client: "claude-code", path: "/client/one.jsonl" };

/** The first batch of the source, unless told otherwise. */
function batch(entries: readonly NewEntry[], more: Partial<IngestBatch> = {}): IngestBatch {
  const rest = { after: 0, position: "{}", state: "{}", leading: null };
  return { source, session: one, entries, ...rest, ...more };
}

/** What the store says of a source. */
async function bookmarkOf({ ingestion }: TestLog, of = source) {
  const found = await ingestion.find(of);
  return found === undefined ? undefined : { ...found, state: await found.state() };
}

/** What `store` says when nothing is unusual. */
function stored(revision: number, added: number, known = 0) {
  return { type: "stored", revision, added, known, differing: [] };
}

/** Taking in what clients wrote: once, whoever reads it how often. */
export function ingestingContract(open: () => Promise<TestLog>): void {
  it("stores entries and how far the source was read", async () => {
    await using test = await openWithSession(open);
    const { ingestion } = test;
    expect(await bookmarkOf(test)).toBeUndefined();
    const first = batch([said("a", "1"), said("b", "2")], {
      position: '{"at":9}',
      state: '{"s":"é\\u0000"}',
    });
    expect(await ingestion.store(first)).toEqual(stored(1, 2));
    expect(await ingestion.store(batch([said("c", "3")], { after: 1, position: "10" }))).toEqual(
      stored(2, 1),
    );
    await test.reopen();
    expect(await bookmarkOf(test)).toEqual({ session: one, revision: 2, position: "10", state: "{}" });
    expect(idsOf(await collect(test.log.read(one)))).toEqual(["a", "b", "c"]);
    expect(await test.log.verify(one)).toMatchObject({ entries: 3, problem: null });
  });

  it("stores nothing of a batch that does not go on where the source was read to", async () => {
    await using test = await openWithSession(open);
    const { ingestion, log } = test;
    await ingestion.store(batch([said("a", "1")]));
    for (const after of [0, 2]) {
      expect(await ingestion.store(batch([said("b", "2")], { after, position: "no" }))).toEqual({
        type: "overtaken",
      });
    }
    expect(idsOf(await collect(log.read(one)))).toEqual(["a"]);
    expect(await bookmarkOf(test)).toMatchObject({ revision: 1, position: "{}" });
  });

  it("lets one of several win that store the same batch at once", async () => {
    await using test = await openWithSession(open);
    const { ingestion, log } = test;
    for (const after of [0, 1, 2]) {
      const told = await Promise.all(
        Array.from({ length: 4 }, () => ingestion.store(batch([said(`a${after}`, "1")], { after }))),
      );
      expect(told.map(({ type }) => type).toSorted()).toEqual([
        ...["overtaken", "overtaken", "overtaken", "stored"],
      ]);
    }
    expect(idsOf(await collect(log.read(one)))).toEqual(["a0", "a1", "a2"]);
  });

  it("keeps the first version of an entry and names the one that differs", async () => {
    await using test = await openWithSession(open);
    const { ingestion, log } = test;
    await ingestion.store(batch([said("a", "first"), said("b", "same")]));
    const again = [said("a", "other"), said("b", "same"), said("c", "new", { parent: parseEntryId("a") })];
    expect(await ingestion.store(batch(again, { after: 1 }))).toEqual({
      ...stored(2, 1, 1),
      differing: ["a"],
    });
    const entries = await collect(log.read(one));
    expect(entries.map(({ id, parent }) => [id, parent])).toEqual([
      ["a", null],
      ["b", "a"],
      ["c", "a"],
    ]);
    expect(entries[0]).toMatchObject({ parts: [{ text: "first" }] });
    expect(await log.verify(one)).toMatchObject({ problem: null });
  });

  it("knows an entry that comes twice in one batch", async () => {
    await using test = await openWithSession(open);
    const twice = [said("a", "1"), said("a", "1"), said("a", "2")];
    expect(await test.ingestion.store(batch(twice))).toEqual({ ...stored(1, 1, 1), differing: ["a"] });
    expect(idsOf(await collect(test.log.read(one)))).toEqual(["a"]);
  });

  it("reads several sources into one session, each on a strand of its own", async () => {
    await using test = await openWithSession(open);
    const other = { ...source, path: "/client/one/agent-x.jsonl" };
    const strand = parseStrand("agent-x");
    await test.ingestion.store(batch([said("a", "1")]));
    await test.ingestion.store(batch([said("x", "1", { strand, parent: null })], { source: other }));
    await test.ingestion.store(batch([said("b", "2")], { after: 1 }));
    await test.ingestion.store(batch([said("y", "2", { strand })], { source: other, after: 1 }));
    const entries = await collect(test.log.read(one));
    expect(entries.map(({ id, parent }) => [id, parent])).toEqual([
      ...[["a", null] as const, ["x", null] as const, ["b", "a"] as const, ["y", "x"] as const],
    ]);
    expect(await bookmarkOf(test, other)).toMatchObject({ revision: 2 });
  });

  it("finds the session that began with an entry, and what a fork shares with it", async () => {
    await using test = await openWithSession(open);
    const { ingestion, log } = test;
    const [a, b, c, no] = ["a", "b", "c", "no"].map(parseEntryId) as [NewEntry["id"], ...NewEntry["id"][]];
    await ingestion.store(batch([said("a", "1"), said("b", "2"), said("c", "3")], { leading: a }));
    expect(await ingestion.sharing("claude-code", a, later(9999))).toEqual([one]);
    expect(await ingestion.sharing("codex", a, later(0))).toEqual([]);
    expect(
      await ingestion.held(
        one,
        [c, no, a].flatMap((id) => id ?? []),
      ),
    ).toEqual([a, c]);
    await log.fork({ ...newFork("two"), clientSessionId: "theirs", at: parseEntryId("b") });
    expect(
      await ingestion.held(
        two,
        [a, b, c].flatMap((id) => id ?? []),
      ),
    ).toEqual([a, b]);
    const forked = batch([said("b", "2"), said("d", "4")], {
      session: two,
      source: { ...source, path: "/2" },
    });
    expect(await ingestion.store(forked)).toEqual(stored(1, 1, 1));
    expect(idsOf(await collect(log.read(two)))).toEqual(["a", "b", "d"]);
    expect(await log.verify(two)).toMatchObject({ entries: 3, problem: null });
    expect((await log.list({ id: two })).sessions[0]).toMatchObject({ clientSessionId: "theirs" });
  });

  it("finds the sessions that have an entry themselves, if they changed after it was made", async () => {
    await using test = await openWithSession(open);
    const { ingestion, log, project } = test;
    const b = parseEntryId("b");
    const start = newSession("two", project, { client: "claude-code" });
    const entries = [said("a", "1", { at: later(1) }), said("b", "2", { at: later(2) })];
    await ingestion.store(batch(entries, { session: two, start, leading: parseEntryId("a") }));
    await log.fork({ ...newFork("three", "two"), at: b });
    expect(await ingestion.sharing("claude-code", b, later(2))).toEqual([two]);
    expect(await ingestion.sharing("codex", b, later(2))).toEqual([]);
    expect(await ingestion.sharing("claude-code", b, later(3))).toEqual([]);
    await log.delete(two, later(4));
    expect(await ingestion.sharing("claude-code", b, later(2))).toEqual([]);
  });

  it("tells when sessions of a client were deleted", async () => {
    await using test = await openWithSession(open);
    const { ingestion, log, project } = test;
    const start = newSession("two", project, { client: "claude-code" });
    await ingestion.store(batch([said("a", "1")], { session: two, start }));
    expect(await ingestion.deletions("claude-code")).toEqual(new Map());
    for (const each of [one, two]) await log.delete(each, later(5));
    expect(await ingestion.deletions("claude-code")).toEqual(new Map([[two, later(5)]]));
  });

  it("takes what a fork has otherwise than its origin for known", async () => {
    await using test = await openWithSession(open);
    await test.ingestion.store(batch([said("a", "1")]));
    await test.log.fork(newFork("two"));
    const other = { ...source, path: "/2" };
    const copied = batch([said("a", "otherwise"), said("b", "2")], { session: two, source: other });
    expect(await test.ingestion.store(copied)).toEqual(stored(1, 1, 1));
    expect(await test.ingestion.store({ ...copied, after: 1, entries: [said("b", "3")] })).toEqual({
      ...stored(2, 0),
      differing: ["b"],
    });
  });

  it("makes the session with its first batch, or neither", async () => {
    await using test = await openWithSession(open);
    const { ingestion, log, project } = test;
    const start = newSession("two", project, { client: "claude-code" });
    const bad = said("b", "2", { parent: parseEntryId("nowhere") });
    await expect(ingestion.store(batch([bad], { session: two, start }))).rejects.toThrow("nowhere");
    expect((await log.list({ id: two })).sessions).toEqual([]);
    expect(await ingestion.store(batch([said("a", "1")], { session: two, start }))).toEqual(stored(1, 1));
    expect(await ingestion.store(batch([said("b", "2")], { session: two, start, after: 1 }))).toEqual(
      stored(2, 1),
    );
    const other = { ...start, client: "codex" } as const;
    await expect(ingestion.store(batch([], { session: two, start: other, after: 2 }))).rejects.toMatchObject({
      code: "session-conflict",
    });
    expect((await log.list({ id: two })).sessions).toMatchObject([{ client: "claude-code", entries: 2 }]);
  });

  it("returns what was kept of all sources of a session", async () => {
    await using test = await openWithSession(open);
    const { ingestion } = test;
    const path = "/client/one/agent-x.jsonl";
    await ingestion.store(batch([said("a", "1")], { source: { ...source, path }, state: '{"of":"x"}' }));
    await ingestion.store(batch([said("b", "2")], { state: '{"of":"main"}' }));
    expect(await ingestion.states(one)).toEqual(['{"of":"main"}', '{"of":"x"}']);
    expect(await ingestion.states(two)).toEqual([]);
  });

  it("stores nothing into a session that was deleted, and forgets how far it was read", async () => {
    await using test = await openWithSession(open);
    const { ingestion, log } = test;
    await ingestion.store(batch([said("a", "1")]));
    await log.delete(one, later(1));
    expect(await bookmarkOf(test)).toBeUndefined();
    expect(await ingestion.store(batch([said("b", "2")]))).toEqual({ type: "gone" });
    expect(await ingestion.store(batch([said("b", "2")], { session: two }))).toEqual({ type: "gone" });
    expect(await ingestion.held(one, [parseEntryId("a")])).toEqual([]);
  });

  it("knows the sessions that a client was given by the ids that they have there, also after they were deleted", async () => {
    await using test = await openWithSession(open);
    const { ingestion, log } = test;
    await ingestion.store(batch([said("a", "1")]));
    await ingestion.store(batch([], { source: nativeSource("claude-code", "given") }));
    await ingestion.store(batch([], { source: nativeSource("codex", "other") }));
    expect(await ingestion.natives("claude-code")).toEqual(new Map([["given", one]]));
    expect(await findGiven(ingestion, "claude-code", "given")).toBe(one);
    expect(await findGiven(ingestion, "claude-code", "other")).toBe("other");
    await log.delete(one, later(1));
    expect(await ingestion.natives("claude-code")).toEqual(new Map([["given", one]]));
    expect(await ingestion.find(source)).toBeUndefined();
  });

  it("stores a secret neither from an entry nor from a path", async () => {
    await using test = await openWithSession(open);
    const token = `ghp_${"Ab3dEf9hIj".repeat(3)}Kl2mNo`;
    const named = { ...source, path: `/client/${token}/a.jsonl` };
    await test.ingestion.store(batch([said("a", `it is ${token}`)], { source: named }));
    expect(await bookmarkOf(test, named)).toMatchObject({ revision: 1 });
    expect(JSON.stringify(await collect(test.log.read(one)))).not.toContain(token);
    expect(JSON.stringify(await test.ingestion.redact({ cwd: token }))).not.toContain(token);
  });

  it("gives the same session for any cut of the entries into batches, however often they are stored again", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 8 });
    const entries = Array.from({ length: 300 }, (_, index) =>
      said(`e${index}`, `text ${index % 5}`, { at: start }),
    );
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(250), async (cuts, back) => {
        await using test = await openWithSession(open);
        let [from, revision] = [0, 0];
        for (const cut of [...cuts, 300]) {
          const again = entries.slice(Math.max(0, from - back), from + cut);
          await test.ingestion.store(batch(again, { after: revision }));
          [from, revision] = [from + cut, revision + 1];
        }
        expect(idsOf(await collect(test.log.read(one)))).toEqual(idsOf(entries as never));
        expect(await test.log.verify(one)).toMatchObject({ entries: 300, problem: null });
      }),
      { numRuns: 4 },
    );
  });
}
