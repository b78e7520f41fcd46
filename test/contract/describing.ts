import { expect, it } from "vitest";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { stopped, tagged } from "../../src/sessions/session-events.ts";
import { openWriter } from "../../src/sessions/session-writer.ts";
import { bring, chainsOf, idsIn, outcomes } from "../support/bring.ts";
import { collect, idsOf, later, newSession, said, start, titledAt } from "../support/entries.ts";
import { verifyAll } from "../support/verify-all.ts";
import { one, openWithSession, type TestLog } from "./test-log.ts";

const tag = (id: string, add: string) => tagged(parseEntryId(id), later(1), { add: [add] });
const problemsOf = async (store: TestLog) =>
  Object.values(await verifyAll(store)).flatMap(({ problem }) => (problem === null ? [] : [problem]));

/** Returns what lists tell of each session. */
async function listed({ log }: TestLog) {
  const { sessions } = await log.list();
  return sessions.map(({ id, title, tags, status, messages }) => ({ id, title, tags, status, messages }));
}

/** What must become of titles, tags and status that were given in one store while a session went on in another. */
export function describingContract(open: () => Promise<TestLog>, openOther: () => Promise<TestLog>): void {
  /** Two stores that have the same session of two messages. */
  async function openTwo() {
    const a = await openWithSession(open);
    await a.log.append(one, [said("1", "1"), said("2", "2")]);
    const b = await openOther();
    await bring(a, b, { machine: "A" });
    return { a, b };
  }

  it("tells sessions that were last worked in here from others, whoever described them", async () => {
    const { a, b } = await openTwo();
    await using _a = a;
    await using _b = b;
    const ownIn = async ({ log }: TestLog) =>
      Object.fromEntries(
        await Promise.all(
          (["here", "elsewhere"] as const).map(async (newest) => [
            newest,
            (await log.list({ newest })).sessions.map(({ id }) => id),
          ]),
        ),
      );
    const [own, others] = [
      { here: ["one"], elsewhere: [] },
      { here: [], elsewhere: ["one"] },
    ];
    expect([await ownIn(a), await ownIn(b)]).toEqual([own, others]);
    await b.log.append(one, [titledAt("t", "Of B", 1)]);
    await b.log.append(one, [tag("g", "pinned")]);
    await bring(b, a, { machine: "B" });
    expect([await ownIn(a), await ownIn(b)]).toEqual([own, others]);
    await b.log.append(one, [tag("h", "later"), said("3", "3")]);
    await b.log.append(one, [tag("i", "last")]);
    await bring(b, a, { machine: "B" });
    expect([await ownIn(a), await ownIn(b)]).toEqual([others, own]);
    await a.log.append(one, [said("4", "4")]);
    expect(await ownIn(a)).toEqual(own);
  });

  it("a title that was given elsewhere while a session went on makes no fork of it", async () => {
    const { a, b } = await openTwo();
    await using _a = a;
    await using _b = b;
    await a.log.append(one, [titledAt("t", "Of A", 1), tag("g", "pinned")]);
    await b.log.append(one, [said("3", "3")]);
    const described = await bring(a, b, { machine: "A" });
    expect(described).toMatchObject({ entries: 2, changes: [{ type: "described", session: "one" }] });
    expect(idsOf(await collect(b.log.read(one)))).toEqual(["1", "2", "3", "t", "g"]);
    const session = { title: "Of A", tags: ["pinned"], status: "open", messages: 3 };
    expect(await listed(b)).toEqual([{ id: "one", ...session }]);
    expect((await bring(a, b)).changes).toEqual([]);
    const continued = await bring(b, a, { machine: "B" });
    expect(continued.changes).toMatchObject([
      { type: "continued", session: "one-b", was: "one", entries: 3 },
    ]);
    expect(await listed(a)).toEqual([{ id: "one-b", ...session }]);
    expect(await chainsOf(a)).toEqual(await chainsOf(b));
    expect([(await bring(a, b)).changes, (await bring(b, a)).changes]).toEqual([[], []]);
    expect([await problemsOf(a), await problemsOf(b)]).toEqual([[], []]);
  });

  it("the same where the work comes first", async () => {
    const { a, b } = await openTwo();
    await using _a = a;
    await using _b = b;
    await a.log.append(one, [titledAt("t", "Of A", 1)]);
    await b.log.append(one, [said("3", "3"), titledAt("u", "Of B", 9)]);
    expect(outcomes(await bring(b, a, { machine: "B" }))).toEqual(["continued one-b"]);
    expect(idsOf(await collect(a.log.read(parseSessionId("one-b"))))).toEqual(["1", "2", "3", "u", "t"]);
    expect(outcomes(await bring(a, b, { machine: "A" }))).toEqual(["extended one"]);
    expect((await listed(b)).map(({ title }) => title)).toEqual(["Of B"]);
    expect(await chainsOf(a)).toEqual(await chainsOf(b));
  });

  it("what only describes a session in both agrees in the end, under one id in each", async () => {
    const { a, b } = await openTwo();
    await using _a = a;
    await using _b = b;
    await a.log.append(one, [titledAt("t", "Of A", 3)]);
    await b.log.append(one, [tag("g", "pinned"), stopped(parseEntryId("e"), later(4), "ended")]);
    for (const [from, to] of [[a, b] as const, [b, a] as const])
      expect(outcomes(await bring(from, to))).toEqual(["described one"]);
    expect(await listed(a)).toEqual([
      { id: "one", title: "Of A", tags: ["pinned"], status: "ended", messages: 2 },
    ]);
    expect(await listed(b)).toEqual(await listed(a));
    expect([(await bring(a, b)).changes, (await bring(b, a)).changes]).toEqual([[], []]);
    await b.log.append(one, [said("3", "3")]);
    expect(outcomes(await bring(b, a, { machine: "B" }))).toEqual(["continued one-b"]);
    expect(await chainsOf(a)).toEqual(await chainsOf(b));
  });

  it("goes its own way again where somebody worked in both", async () => {
    const { a, b } = await openTwo();
    await using _a = a;
    await using _b = b;
    await a.log.append(one, [titledAt("t", "Of A", 1), said("a3", "a3")]);
    await b.log.append(one, [said("b3", "b3")]);
    expect(outcomes(await bring(a, b, { machine: "A" }))).toEqual(["parted one-a"]);
    expect((await listed(b)).map(({ id, title }) => [id, title]).toSorted()).toEqual([
      ["one", "1"],
      ["one-a", "Of A"],
    ]);
  });

  it("deletes nothing elsewhere where one was given up for another", async () => {
    const { a, b } = await openTwo();
    await using _a = a;
    await using _b = b;
    await using c = await open();
    await bring(a, c);
    await a.log.append(one, [titledAt("t", "Of A", 1)]);
    await b.log.append(one, [said("3", "3")]);
    await bring(b, a, { machine: "B" });
    expect(await idsIn(a)).toEqual(["one-b"]);
    expect(outcomes(await bring(a, c))).toEqual(["extended one"]);
    expect(await idsIn(c)).toEqual(["one"]);
    expect(await chainsOf(c)).toEqual(await chainsOf(a));
  });

  it("takes a title where a process writes, and leaves one alone that is to be given up and is written", async () => {
    const { a, b } = await openTwo();
    await using _a = a;
    await using _b = b;
    await a.log.append(one, [titledAt("t", "Of A", 1)]);
    await b.log.append(one, [said("3", "3")]);
    {
      await using writer = await openWriter(b, one, { program: "test", now: start });
      expect(outcomes(await bring(a, b, { machine: "A" }))).toEqual(["described one"]);
      await writer.append([said("4", "4")]);
    }
    {
      await using _writer = await openWriter(a, one, { program: "test", now: start });
      expect(outcomes(await bring(b, a, { machine: "B" }))).toEqual(["parted one-b"]);
    }
    expect(outcomes(await bring(b, a, { machine: "B" }))).toEqual(["continued one-b"]);
    expect(idsOf(await collect(a.log.read(parseSessionId("one-b"))))).toEqual(["1", "2", "3", "t", "4"]);
    expect(await idsIn(a)).toEqual(["one-b"]);
  });

  it("leaves a session where a client goes on with it, beside the other", async () => {
    await using a = await open();
    await using b = await openOther();
    await a.log.open(newSession("one", a.project, { client: "claude-code" }));
    await a.log.append(one, [said("1", "1")]);
    await bring(a, b);
    await a.log.append(one, [stopped(parseEntryId("e"), later(1), "interrupted")]);
    await b.log.append(one, [said("2", "2")]);
    expect(outcomes(await bring(b, a, { machine: "B" }))).toEqual(["parted one-b"]);
    expect(await idsIn(a)).toEqual(["one", "one-b"]);
    expect(outcomes(await bring(a, b, { machine: "A" }))).toEqual(["described one"]);
    expect(await idsIn(b)).toEqual(["one"]);
  });
}
