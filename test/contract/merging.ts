import { expect, it } from "vitest";
import type { ConversationLog } from "../../src/sessions/conversation-log.ts";
import { mainStrand, parseEntryId, parseSessionId, parseStrand } from "../../src/sessions/ids.ts";
import { type Merged, mergeSessions, planMerge } from "../../src/sessions/merge-sessions.ts";
import { isMergeNote, prefixOf } from "../../src/sessions/merged-id.ts";
import { found, observed, readShown } from "../../src/sessions/observations.ts";
import { readPaths } from "../../src/sessions/session-paths.ts";
import { openWriter } from "../../src/sessions/session-writer.ts";
import { collect, idsOf, later, newFork, newSession, said } from "../support/entries.ts";
import { answered, calling, happened } from "../support/talk.ts";
import { sessionOf } from "./comparing.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

const program = "carryon merge";

/** Merges a session, or a path of it, into another. */
export async function merge(test: TestLog, into: string, from: string, end?: number): Promise<Merged> {
  const [target, session] = [await sessionOf(test.log, into), await sessionOf(test.log, from)];
  return mergeSessions(test, { target, source: { session, end }, now: later(1000), program });
}

/** Returns the ids on the path from the leaf of a session. */
async function conversation(log: ConversationLog, id: string): Promise<readonly string[]> {
  const paths = await readPaths(log, await sessionOf(log, id), mainStrand);
  return paths.pathTo(paths.leaf?.seq).map((step) => step.id);
}

async function openForked(open: () => Promise<TestLog>): Promise<TestLog> {
  const test = await openWithSession(open);
  await test.log.append(one, [said("a", "1"), said("b", "2")]);
  await test.log.fork(newFork("two"));
  await test.log.append(one, [said("c", "mine")]);
  await test.log.append(two, [said("x", "theirs", { at: later(50) }), said("y", "more")]);
  return test;
}

const fromTwo = (id: string) => `${prefixOf(two)}${id}`;

/** What every engine must do when sessions are merged. */
export function mergingContract(open: () => Promise<TestLog>): void {
  it("appends the other's own part as a block that says where it comes from, and changes nothing else", async () => {
    await using test = await openForked(open);
    const before = await sessionOf(test.log, "one");
    const theirs = await sessionOf(test.log, "two");
    const merged = await merge(test, "one", "two");
    const after = await collect(test.log.read(one));
    const [begin, x, y, end] = after.slice(3);
    expect(begin).toMatchObject({ id: merged.begin, parent: "c", event: "merging", at: later(1000) });
    expect(begin).toMatchObject({
      data: {
        from: {
          ...{ session: "two", title: "1", client: "carryon-append", machine: "here" },
          ...{ head: theirs.head, first: 3, last: 4 },
        },
        sources: [{ prefix: prefixOf(two), session: "two" }],
        entries: 2,
        conflicts: [],
      },
    });
    expect(x).toMatchObject({
      id: fromTwo("x"),
      parent: begin?.id,
      at: later(50),
      parts: [{ text: "theirs" }],
    });
    expect(y).toMatchObject({ id: fromTwo("y"), parent: x?.id });
    expect(end).toMatchObject({ event: "merged", parent: y?.id, data: { block: begin?.id, entries: 2 } });
    expect(idsOf(after.slice(0, 3))).toEqual(["a", "b", "c"]);
    expect(await conversation(test.log, "one")).toEqual(idsOf(after));
    expect(await sessionOf(test.log, "two")).toEqual(theirs);
    expect(await test.log.verify(one)).toMatchObject({ entries: 7, problem: null });
    expect(before.head).not.toBe((await sessionOf(test.log, "one")).head);
  });

  it("adds nothing when it is done again, and only what is new when the other has grown", async () => {
    await using test = await openForked(open);
    await merge(test, "one", "two");
    const { head } = await sessionOf(test.log, "one");
    expect(await merge(test, "one", "two")).toMatchObject({ begin: null, entries: 0, block: [] });
    expect((await sessionOf(test.log, "one")).head).toBe(head);
    await test.log.append(one, [said("d", "mine too")]);
    await test.log.append(two, [said("z", "grown")]);
    expect(await merge(test, "one", "two")).toMatchObject({ entries: 1 });
    const path = await conversation(test.log, "one");
    expect(path.filter((id) => !isMergeNote(id))).toEqual([
      "a",
      "b",
      "c",
      fromTwo("x"),
      fromTwo("y"),
      "d",
      fromTwo("z"),
    ]);
  });

  it("brings nothing back that came from there, by whatever way", async () => {
    await using test = await openForked(open);
    await merge(test, "one", "two");
    expect(await merge(test, "two", "one")).toMatchObject({ entries: 1 });
    expect(await merge(test, "one", "two")).toMatchObject({ entries: 0 });
    expect(await merge(test, "two", "one")).toMatchObject({ entries: 0 });
    await test.log.fork({ ...newFork("three"), at: parseEntryId("a") });
    expect(await merge(test, "three", "two")).toMatchObject({ entries: 4 });
    expect(await merge(test, "three", "one")).toMatchObject({ entries: 0 });
    const [first] = (await collect(test.log.read(parseSessionId("three")))).filter((entry) =>
      isMergeNote(entry.id),
    );
    expect(first).toMatchObject({
      data: {
        sources: [
          { prefix: prefixOf(one), session: "one" },
          { prefix: prefixOf(two), session: "two" },
        ],
      },
    });
  });

  it("knows what a client wrote into both with the same ids, and keeps what only says the same", async () => {
    await using test = await openWithSession(open);
    await test.log.open(newSession("two", test.project));
    await test.log.append(one, [said("a", "same"), said("b", "one's own"), said("c", "said twice")]);
    await test.log.append(two, [said("a", "same"), said("b", "two's own"), said("d", "said twice")]);
    await merge(test, "one", "two");
    expect((await conversation(test.log, "one")).filter((id) => !isMergeNote(id))).toEqual([
      "a",
      "b",
      "c",
      fromTwo("b"),
      fromTwo("d"),
    ]);
  });

  it("keeps title, tags and status, and strands, resets and rewinds as they were there", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    const strand = parseStrand("worker");
    await log.append(one, [
      said("a", "1"),
      said("w", "work", { strand }),
      happened("e", "ended", {}, { at: later(5) }),
    ]);
    await log.open(newSession("two", test.project, { title: "Theirs" }));
    await log.append(two, [
      said("x", "first", { at: later(60) }),
      happened("t", "titled", { title: "Renamed" }, { at: later(61) }),
      happened("g", "tagged", { add: ["red"], remove: [] }, { at: later(61) }),
      said("v", "other work", { strand, at: later(62) }),
      said("r", "after a reset", { parent: null, at: later(63) }),
      happened("o", "ended", {}, { at: later(64) }),
    ]);
    const { tags, title } = await sessionOf(log, "one");
    await merge(test, "one", "two");
    expect(await sessionOf(log, "one")).toMatchObject({ tags, title, status: "ended", messages: 5 });
    const after = await collect(log.read(one));
    const parents = Object.fromEntries(after.map((entry) => [entry.id, entry.parent]));
    expect(parents[fromTwo("v")]).toBe("w");
    const path = await conversation(log, "one");
    expect(path).toContain("a");
    expect(path).toContain(fromTwo("r"));
    expect(path).not.toContain(fromTwo("x"));
    expect(after.find(({ id }) => id === fromTwo("t"))).toMatchObject({
      event: "merged-titled",
      data: { title: "Renamed" },
    });
    expect((await log.verify(one)).problem).toBeNull();
  });

  it("points what refers to other entries to them, so that nothing that hooks saw appears twice", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    await log.append(one, [said("a", "1")]);
    await log.open(newSession("two", test.project));
    const seen = observed(parseEntryId("seen"), later(1), "prompt-seen", { prompt: "hello" });
    await log.append(two, [
      seen,
      said("x", "hello"),
      found(parseEntryId("seen"), later(2)),
      { id: parseEntryId("s"), at: later(3), kind: "summary", text: "short", replaces: parseEntryId("x") },
      { ...said("n", "hello again"), kind: "message", replaces: parseEntryId("x") } as never,
    ]);
    await merge(test, "one", "two");
    const shown = await collect(readShown(log, one));
    expect(idsOf(shown).filter((id) => !isMergeNote(id))).toEqual([
      "a",
      fromTwo("x"),
      fromTwo("s"),
      fromTwo("n"),
    ]);
    expect(shown.find(({ id }) => id === fromTwo("s"))).toMatchObject({ replaces: fromTwo("x") });
    expect(shown.find(({ id }) => id === fromTwo("n"))).toMatchObject({ replaces: fromTwo("x") });
  });

  it("lists the files that both changed, and decisions and titles that differ", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    const edit = (call: string) => [
      calling(call, "Edit", { file_path: "/work/a.ts" }),
      calling(`${call}d`, "decide", { summary: "Store", decision: call }),
    ];
    const done = (id: string, call: string) =>
      ({
        ...said(id, ""),
        role: "tool",
        parts: [call, `${call}d`].map((each) => ({ type: "tool-result", call: each, output: "D3" })),
      }) as never;
    await log.append(one, [said("a", "1")]);
    await log.fork({ ...newFork("two"), title: "Other" });
    await log.append(one, [answered("b", "…", edit("c1")), done("c", "c1")]);
    await log.append(two, [answered("x", "…", edit("c2")), done("y", "c2")]);
    const expected = [
      { type: "file", path: "a.ts" },
      { type: "decision", left: "D3: Store: c1", right: "D3: Store: c2" },
      { type: "title", left: "1", right: "Other" },
    ];
    const source = { session: await sessionOf(log, "two") };
    const request = { target: await sessionOf(log, "one"), source, now: later(9), program };
    const { conflicts, block } = await planMerge(log, request);
    expect([conflicts, block[0]]).toMatchObject([expected, { data: { conflicts: expected } }]);
    expect((await sessionOf(log, "one")).entries).toBe(3);
    // The other way round they still differ, although one of them has both by then.
    await merge(test, "one", "two");
    const back = { target: await sessionOf(log, "two"), source: { session: await sessionOf(log, "one") } };
    expect((await planMerge(log, { ...request, ...back })).conflicts).toEqual([
      { type: "file", path: "a.ts" },
      { type: "decision", left: "D3: Store: c2", right: "D3: Store: c1" },
      { type: "title", left: "Other", right: "1" },
    ]);
  });

  it("joins a side path of a session to the path of its leaf, once", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    await log.append(one, [
      said("a", "1"),
      said("l", "left"),
      answered("l2", "left goes on", [calling("c", "Read", {})]),
      said("r", "right", { parent: parseEntryId("a") }),
    ]);
    const sides = async () => (await readPaths(log, await sessionOf(log, "one"), mainStrand)).sidePaths();
    expect(await sides()).toEqual([
      { end: 3, partsAt: 1, entries: ["l", "l2"], firstAt: later(0), lastAt: later(1) },
    ]);
    expect(await merge(test, "one", "one", 3)).toMatchObject({ entries: 2 });
    const path = await conversation(log, "one");
    expect(path.filter((id) => !isMergeNote(id))).toEqual([
      "a",
      "r",
      `${prefixOf(one)}l`,
      `${prefixOf(one)}l2`,
    ]);
    expect(await sides()).toEqual([]);
    expect(await merge(test, "one", "one", 3)).toMatchObject({ entries: 0 });
    expect((await log.verify(one)).problem).toBeNull();
    await expect(merge(test, "one", "one")).rejects.toMatchObject({ code: "same-session" });
  });

  it("refuses a session that a living process writes, and names it", async () => {
    await using test = await openForked(open);
    await using _writer = await openWriter(test, one, { program: "carryon append", now: later(1) });
    await expect(merge(test, "one", "two")).rejects.toMatchObject({
      code: "session-in-use",
      message: expect.stringContaining("carryon append"),
    });
    expect((await sessionOf(test.log, "one")).entries).toBe(3);
  });
}
