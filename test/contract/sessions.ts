import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConversationLog } from "../../src/sessions/conversation-log.ts";
import { findSession } from "../../src/sessions/find-session.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { stopped, tagged, titled } from "../../src/sessions/session-events.ts";
import { later, newSession, said } from "../support/entries.ts";
import { one, openWithSession, type TestLog } from "./test-log.ts";

/** What every engine must do about sessions. */
export function sessionsContract(open: () => Promise<TestLog>): void {
  it("opens a session once, however often it is asked", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "hello")]);
    const again = await test.log.open(newSession("one", test.project));
    expect(again).toMatchObject({ entries: 1, messages: 1, title: "hello", status: "open" });
    const other = newSession("one", test.project, { client: "codex" });
    await expect(test.log.open(other)).rejects.toMatchObject({ code: "session-conflict" });
  });

  it("makes a session together with its first entries, or not at all", async () => {
    await using test = await open();
    const start = newSession("one", test.project);
    const stray = said("b", "2", { parent: parseEntryId("nope") });
    await expect(test.log.open(start, [said("a", "1"), stray])).rejects.toMatchObject({
      code: "entry-not-found",
    });
    expect((await test.log.list()).sessions).toEqual([]);
    expect(await test.log.open(start, [said("a", "1")])).toMatchObject({
      entries: 1,
      title: "1",
      receipts: [{ seq: 1, id: "a", isNew: true }],
    });
    expect(await test.log.open(start, [said("a", "1"), said("c", "3")])).toMatchObject({
      entries: 2,
      receipts: [
        { seq: 1, id: "a", isNew: false },
        { seq: 2, id: "c", isNew: true },
      ],
    });
    expect(await test.log.verify(one)).toMatchObject({ entries: 2, problem: null });
  });

  it("takes its title from the first user message until it is given one", async () => {
    await using test = await openWithSession(open);
    const title = async () => (await test.log.list({ id: one })).sessions[0]?.title;
    expect(await title()).toBe("");
    const reply = { ...said("a", "not me"), role: "assistant" as const };
    await test.log.append(one, [reply, said("b", `  ${"long ".repeat(30)}`), said("c", "later")]);
    expect(await title()).toBe("long ".repeat(12).trimEnd());
    await test.log.append(one, [titled(parseEntryId("t1"), later(2), "Auth bug")]);
    await test.log.append(one, [titled(parseEntryId("t0"), later(1), "came late, said early")]);
    expect(await title()).toBe("Auth bug");
  });

  it("is described by the event with the greatest time and id, whatever the order of arrival", async () => {
    const id = (text: string) => parseEntryId(text);
    const events = [
      tagged(id("g1"), later(5), { add: ["a", "b"] }),
      tagged(id("g2"), later(6), { add: ["c"], remove: ["a"] }),
      tagged(id("g0"), later(4), { add: ["a"], remove: ["b", "not a tag"] }),
      titled(id("t1"), later(3), "old"),
      titled(id("t2"), later(9), "new"),
      stopped(id("s1"), later(20), "ended"),
      said("m1", "hi", { at: later(10) }),
    ];
    await using test = await open();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(events, { minLength: events.length }), async (order) => {
        count += 1;
        const session = await test.log.open(newSession(`order-${count}`, test.project));
        for (const event of order) await test.log.append(session.id, [event]);
        const { sessions } = await test.log.list({ id: session.id });
        expect(sessions[0]).toMatchObject({
          title: "new",
          tags: ["b", "c"],
          status: "ended",
          endedAt: later(20),
          updatedAt: later(20),
          messages: 1,
          entries: 7,
        });
      }),
      { numRuns: 20 },
    );
  });

  it("is open again after the next message", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "hi"), stopped(parseEntryId("e"), later(1), "interrupted")]);
    const status = async () => (await test.log.list({ id: one })).sessions[0]?.status;
    expect(await status()).toBe("interrupted");
    await test.log.append(one, [said("b", "back", { at: later(2) })]);
    expect(await status()).toBe("open");
  });

  it("lists the record of a project's documents only when it is asked for", async () => {
    await using test = await openWithSession(open);
    const record = newSession("record", test.project, { client: "carryon-handover" });
    await test.log.open(record, [said("a", "1", { at: later(9) })]);
    const ids = async (query: Parameters<ConversationLog["list"]>[0]) =>
      (await test.log.list(query)).sessions.map(({ id }) => id);
    expect(await ids({})).toEqual(["one"]);
    expect(await ids({ project: test.project, limit: 1 })).toEqual(["one"]);
    expect(await ids({ client: "carryon-handover" })).toEqual(["record"]);
    expect(await ids({ id: record.id })).toEqual(["record"]);
    expect(await ids({ idPrefix: "rec" })).toEqual(["record"]);
  });

  it("lists newest first, in pages, by every filter", async () => {
    await using test = await open();
    const other = await test.projects.recognise({ identities: ["path:/other"], name: "other" });
    const rows = [
      { id: "s1", client: "pi", branch: "main", project: test.project },
      { id: "s2", client: "codex", branch: "main", project: test.project },
      { id: "s3", client: "pi", branch: "feature/x", project: test.project },
      { id: "s4", client: "codex", branch: "feature/x", project: test.project },
      { id: "s5", client: "pi", branch: "feature/x", project: test.project },
      { id: "s6", client: "codex", branch: "feature/x", project: test.project },
      { id: "s7", client: "pi", branch: "feature/x", project: other.id },
    ] as const;
    for (const [index, { id, client, branch, project }] of rows.entries()) {
      const title = `Title ${index + 1} Ä`;
      await test.log.open(newSession(id, project, { client, branch, title, startedAt: later(index + 1) }));
    }
    await test.log.append(parseSessionId("s2"), [said("a", "moves it up", { at: later(100) })]);
    await test.log.append(parseSessionId("s3"), [
      tagged(parseEntryId("t"), later(3), { add: ["pinned", "x_"] }),
    ]);
    const ids = async (query: Parameters<ConversationLog["list"]>[0]) =>
      (await test.log.list(query)).sessions.map((session) => session.id);
    expect(await ids({})).toEqual(["s2", "s7", "s6", "s5", "s4", "s3", "s1"]);
    const first = await test.log.list({ limit: 3 });
    const second = await test.log.list({ limit: 3, cursor: first.next ?? "" });
    const third = await test.log.list({ limit: 3, cursor: second.next ?? "" });
    expect([first, second, third].map((page) => page.sessions.map((session) => session.id))).toEqual([
      ["s2", "s7", "s6"],
      ["s5", "s4", "s3"],
      ["s1"],
    ]);
    expect(third.next).toBeNull();
    expect(await ids({ project: other.id })).toEqual(["s7"]);
    expect(await ids({ client: "codex" })).toEqual(["s2", "s6", "s4"]);
    expect(await ids({ branch: "main" })).toEqual(["s2", "s1"]);
    expect(await ids({ branch: "main", status: "open" })).toEqual(["s2", "s1"]);
    expect(await ids({ branch: "main", status: "ended" })).toEqual([]);
    expect(await ids({ tag: "pinned" })).toEqual(["s3"]);
    expect(await ids({ tag: "x_" })).toEqual(["s3"]);
    expect(await ids({ tag: "Pinned" })).toEqual([]);
    expect(await ids({ updatedAfter: later(6) })).toEqual(["s2", "s7"]);
    expect(await ids({ updatedBefore: later(3) })).toEqual(["s1"]);
    expect(await ids({ idPrefix: "s" })).toHaveLength(7);
    expect(await ids({ titlePrefix: "TITLE 4 ä" })).toEqual(["s4"]);
    expect(await ids({ idPrefix: "s%" })).toEqual([]);
    await expect(test.log.list({ cursor: "nonsense" })).rejects.toMatchObject({ code: "bad-cursor" });
  });

  it("is not the first for ever because a clock was once ahead, page by page", async () => {
    await using test = await open();
    const year = 365 * 24 * 3600;
    const times = { before: 10, ahead: year, "ahead-too": 2 * year, slightly: 3600, after: 20 };
    for (const [id, seconds] of Object.entries(times))
      await test.log.open(newSession(id, test.project, { startedAt: later(seconds) }));
    const list = async (query: Parameters<ConversationLog["list"]>[0]) =>
      (await test.log.list(query)).sessions.map(({ id }) => id);
    expect(await list({})).toEqual(["ahead-too", "ahead", "slightly", "after", "before"]);
    const now = later(30);
    const sorted = ["slightly", "after", "ahead-too", "ahead", "before"];
    expect(await list({ now })).toEqual(sorted);
    const pages: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await test.log.list({ now, limit: 2, ...(cursor === "" ? {} : { cursor }) });
      pages.push(...page.sessions.map(({ id }) => id));
      cursor = page.next;
    }
    expect(pages).toEqual(sorted);
    expect(await list({ now, updatedAfter: later(15) })).toEqual(["slightly", "after"]);
    expect((await findSession(test.log, "latest", { now: later(3 * 24 * 3600) })).id).toBe("slightly");
  });

  it("is not old because a clock was once behind", async () => {
    await using test = await open();
    const day = 24 * 3600;
    const times = { old: -90 * day, ahead: 365 * day, "old-too": -80 * day, fresh: -day, behind: -365 * day };
    for (const [id, seconds] of Object.entries(times))
      await test.log.open(newSession(id, test.project, { startedAt: later(seconds) }));
    const list = async (query: Parameters<ConversationLog["list"]>[0]) =>
      (await test.log.list(query)).sessions.map(({ id }) => id);
    const updatedBefore = later(-30 * day);
    expect(await list({ updatedBefore })).toEqual(["old-too", "old", "behind"]);
    expect(await list({ updatedBefore, now: later(0) })).toEqual(["old-too", "old"]);
  });
}
