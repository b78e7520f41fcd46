import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { openWriter } from "../../src/sessions/session-writer.ts";
import { bring, chainsOf, idsIn, outcomes } from "../support/bring.ts";
import { collect, idsOf, later, newFork, newSession, said, start, titledAt } from "../support/entries.ts";
import { verifyAll } from "../support/verify-all.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

const secret = "correct horse battery";

/** What must hold between any two stores. */
export function exchangingContract(open: () => Promise<TestLog>, openOther: () => Promise<TestLog>): void {
  it("brings everything once, with its hashes, forks as forks and its machine, and the second time nothing", async () => {
    await using from = await openWithSession(open);
    await using to = await openOther();
    await from.log.append(one, [said("a", "1"), said("b", "2"), said("c", "3")]);
    await from.log.fork({ ...newFork("two"), at: parseEntryId("b") });
    await from.log.append(two, [said("d", "4")]);
    await from.log.open(newSession("empty", from.project, { machine: "elsewhere" }));
    const report = await bring(from, to, { machine: "A" });
    expect(report).toMatchObject({ sessions: 3, entries: 4, scrubbed: 0 });
    expect(outcomes(report)).toEqual(["added one", "added two", "added empty"]);
    expect((await to.log.list()).sessions).toEqual(
      (await from.log.list()).sessions.map((each) => ({ ...each, project: expect.anything() })),
    );
    expect(idsOf((await collect(to.log.read(two))).filter(({ session }) => session === two))).toEqual(["d"]);
    expect(await bring(from, to)).toMatchObject({ entries: 0, changes: [] });
    expect(await bring(to, from)).toMatchObject({ entries: 0, changes: [] });
    expect(Object.values(await verifyAll(to)).map(({ problem }) => problem)).toEqual([null, null, null]);
  });

  it("makes one fork of what went another way, and finds it again under whatever name", async () => {
    await using a = await openWithSession(open);
    await using team = await openOther();
    await using b = await open();
    await a.log.append(one, [said("1", "1"), said("2", "2")]);
    await bring(a, team, { machine: "A" });
    await bring(team, b);
    await a.log.append(one, [said("a3", "of A")]);
    await b.log.append(one, [said("b3", "of B")]);
    await bring(a, team, { machine: "A" });
    expect(outcomes(await bring(b, team, { machine: "B" }))).toEqual(["parted one-b"]);
    expect(outcomes(await bring(team, b))).toEqual(["parted one-a"]);
    expect(outcomes(await bring(team, a))).toEqual(["parted one-b"]);
    expect([await idsIn(a), await idsIn(team), await idsIn(b)]).toEqual([
      ["one", "one-b"],
      ["one", "one-b"],
      ["one", "one-a"],
    ]);
    await b.log.append(one, [said("b4", "more of B")]);
    await b.log.append(parseSessionId("one-a"), [said("a4", "B goes on with what A did")]);
    expect(outcomes(await bring(b, team, { machine: "B" })).toSorted()).toEqual([
      "extended one",
      "extended one-b",
    ]);
    await bring(team, a);
    expect(idsOf(await collect(a.log.read(one)))).toEqual(["1", "2", "a3", "a4"]);
    expect(idsOf(await collect(a.log.read(parseSessionId("one-b"))))).toEqual(["1", "2", "b3", "b4"]);
    expect((await a.log.list({ id: parseSessionId("one-b") })).sessions[0]?.forkedFrom).toEqual({
      session: "one",
      entry: "2",
    });
    const chains = await chainsOf(a);
    expect([await chainsOf(team), await chainsOf(b)]).toEqual([chains, chains]);
  });

  it("keeps another session of the same id beside it", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await b.log.open(newSession("one", b.project, { startedAt: later(9) }));
    await a.log.append(one, [said("a", "A")]);
    await b.log.append(one, [said("b", "B")]);
    expect(outcomes(await bring(a, b, { machine: "A" }))).toEqual(["renamed one-a"]);
    expect((await bring(a, b, { machine: "A" })).changes).toEqual([]);
    expect(outcomes(await bring(b, a, { machine: "B" }))).toEqual(["renamed one-b"]);
  });

  it("deletes what was deleted elsewhere, also the beginning of it, and never brings it back", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await using c = await open();
    await a.log.append(one, [said("1", "1")]);
    await bring(a, b);
    await a.log.append(one, [said("2", "2"), said("3", "3")]);
    await bring(a, c);
    await a.log.delete(one, later(5));
    expect(outcomes(await bring(b, a))).toEqual(["gone one"]);
    expect(outcomes(await bring(a, b))).toEqual(["deleted one"]);
    // What C has is longer than what B had, and still a part of what was deleted.
    expect(outcomes(await bring(c, b))).toEqual(["gone one"]);
    expect(outcomes(await bring(b, c))).toEqual(["deleted one"]);
    expect([await idsIn(a), await idsIn(b), await idsIn(c)]).toEqual([[], [], []]);
    expect((await bring(a, c)).changes).toEqual([]);
  });

  it("keeps what went on elsewhere after it was deleted, and says so", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await a.log.append(one, [said("1", "1")]);
    await bring(a, b);
    await b.log.append(one, [said("2", "2")]);
    await a.log.delete(one, later(5));
    expect(outcomes(await bring(a, b))).toEqual(["kept one"]);
    expect(outcomes(await bring(b, a, { machine: "B" }))).toEqual(["returned one-b"]);
    expect(idsOf(await collect(a.log.read(parseSessionId("one-b"))))).toEqual(["1", "2"]);
    expect((await bring(b, a)).changes).toEqual([]);
  });

  it("keeps in a store what was begun there and deleted elsewhere, and does not bring it back by itself", async () => {
    for (const [openOne, openTwo] of [
      [open, openOther],
      [openOther, open],
    ] as const) {
      await using own = await openWithSession(openOne);
      await using other = await openTwo();
      await own.log.append(one, [said("1", "1")]);
      await bring(own, other, { machine: "A" });
      await other.log.append(one, [said("2", "2")]);
      await other.log.delete(one, later(5));
      const spared = { ...{ type: "spared", session: one, knownAs: one, entries: 0 }, deletedAt: later(5) };
      // Each time: nothing says that somebody has seen it.
      for (const _time of [1, 2]) {
        expect((await bring(other, own)).changes).toEqual([expect.objectContaining(spared)]);
        expect(outcomes(await bring(own, other))).toEqual(["withheld one"]);
      }
      expect([await idsIn(own), await idsIn(other)]).toEqual([["one"], []]);
      await own.log.fork(newFork("two"));
      expect(outcomes(await bring(own, other, { machine: "A" }))).toEqual(["withheld one", "added two"]);
      await own.log.append(one, [said("3", "3")]);
      expect(outcomes(await bring(own, other, { machine: "A" }))).toEqual(["returned one-a"]);
      expect(idsOf(await collect(other.log.read(parseSessionId("one-a"))))).toEqual(["1", "3"]);
      await own.log.delete(one, later(6));
      expect(outcomes(await bring(own, other))).toEqual(["deleted one-a"]);
      expect([await idsIn(own), await idsIn(other)]).toEqual([["two"], ["two"]]);
    }
  });

  it("keeps what was continued in a store, also where it went on elsewhere after that", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await using c = await open();
    await a.log.append(one, [said("1", "1")]);
    await bring(a, b, { machine: "A" });
    await bring(a, c, { machine: "A" });
    await b.log.append(one, [said("2", "2")]);
    await bring(b, a, { machine: "B" });
    await a.log.append(one, [said("3", "3")]);
    await bring(a, b, { machine: "A" });
    await bring(a, c, { machine: "A" });
    await a.log.delete(one, later(5));
    expect(outcomes(await bring(a, b))).toEqual(["spared one"]);
    expect(outcomes(await bring(a, c))).toEqual(["deleted one"]);
    expect(idsOf(await collect(b.log.read(one)))).toEqual(["1", "2", "3"]);
    expect((await b.log.list({ begun: "elsewhere" })).sessions).toHaveLength(1);
  });

  it("deletes what was only scrubbed in a store, which is no work of its own", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await a.log.append(one, [said("1", secret)]);
    await bring(a, b, { machine: "A" });
    await b.scrubber.replace(literalPattern(secret), later(4));
    await bring(b, a, { machine: "B" });
    await a.log.delete(one, later(5));
    expect(outcomes(await bring(a, b))).toEqual(["deleted one"]);
  });

  it("keeps what a session of the store itself went on as", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await a.log.append(one, [said("1", "1")]);
    await bring(a, b, { machine: "A" });
    await a.log.append(one, [titledAt("t", "Of A", 1)]);
    await b.log.append(one, [said("2", "2")]);
    expect(outcomes(await bring(b, a, { machine: "B" }))).toEqual(["continued one-b"]);
    await bring(a, b, { machine: "A" });
    await b.log.delete(one, later(5));
    expect(outcomes(await bring(b, a))).toEqual(["spared one-b"]);
    expect(await idsIn(a)).toEqual(["one-b"]);
  });

  it("adds nothing to a session that a process writes, and does so when it has ended", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await a.log.append(one, [said("1", "1")]);
    await a.log.open(newSession("other", a.project));
    await bring(a, b);
    await a.log.append(one, [said("2", "2")]);
    await a.log.append(parseSessionId("other"), [said("x", "x")]);
    {
      await using _writer = await openWriter(b, one, { program: "test", now: start });
      expect(outcomes(await bring(a, b))).toEqual(["held one", "extended other"]);
    }
    expect(outcomes(await bring(a, b))).toEqual(["extended one"]);
  });

  it("takes out elsewhere what was scrubbed, in forks too, and notes it once", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await a.log.append(one, [said("1", `it is ${secret}`), said("2", "2")]);
    await a.log.fork({ ...newFork("two"), at: parseEntryId("1") });
    await a.log.append(two, [said("3", "3")]);
    await bring(a, b);
    expect(JSON.stringify(await collect(b.log.read(one)))).toContain(secret);
    const foundIn = async ({ search }: TestLog) =>
      (await search.search({ query: `"${secret}"` })).hits.length;
    expect([await foundIn(a), await foundIn(b)]).toEqual([1, 1]);
    await a.scrubber.replace(literalPattern(secret), later(9));
    expect((await bring(a, b)).scrubbed).toBe(1);
    expect([await foundIn(a), await foundIn(b)]).toEqual([0, 0]);
    for (const id of [one, two]) expect(JSON.stringify(await collect(b.log.read(id)))).not.toContain(secret);
    expect(JSON.stringify((await b.log.list()).sessions)).not.toContain(secret);
    expect(await verifyAll(b)).toEqual(await verifyAll(a));
    expect(await chainsOf(b)).toEqual(await chainsOf(a));
    expect([(await bring(a, b)).changes, (await bring(b, a)).changes]).toEqual([[], []]);
  });

  it("does not bring back a secret that was scrubbed where it comes to", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await a.log.append(one, [said("1", secret)]);
    await bring(a, b);
    await b.scrubber.replace(literalPattern(secret), later(9));
    await a.log.open(newSession("again", a.project));
    await a.log.append(parseSessionId("again"), [said("1", secret)]);
    await bring(a, b);
    expect(JSON.stringify(await collect(b.log.read(parseSessionId("again"))))).not.toContain(secret);
    expect(Object.values(await verifyAll(b)).map(({ problem }) => problem)).toEqual([null, null]);
    await bring(b, a);
    for (const id of ["one", "again"])
      expect(JSON.stringify(await collect(a.log.read(parseSessionId(id))))).not.toContain(secret);
    expect(await chainsOf(a)).toEqual(await chainsOf(b));
  });

  it("calls a fork what it is called where it was made, whatever its origin is called since", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await a.log.append(one, [said("1", "1")]);
    await a.log.fork(newFork("two"));
    await bring(a, b, { query: { sessions: [one] } });
    await b.log.append(one, [titledAt("t", "Of B", 1)]);
    await bring(a, b);
    const titles = async ({ log }: TestLog) =>
      (await log.list({ id: two })).sessions.map(({ title }) => title);
    expect([await titles(a), await titles(b)]).toEqual([["1"], ["1"]]);
  });

  it("brings a fork whose origin is not asked for, whole", async () => {
    await using a = await openWithSession(open);
    await using b = await openOther();
    await a.log.append(one, [said("1", "1"), said("2", "2"), said("3", "3")]);
    await a.log.fork({ ...newFork("two"), at: parseEntryId("3") });
    await a.log.append(two, [said("4", "4")]);
    await bring(a, b, { query: { sessions: [two] }, batch: 1 });
    expect(idsOf(await collect(b.log.read(two)))).toEqual(["1", "2", "3", "4"]);
    expect(await verifyAll(b)).toEqual({ two: { scrubbed: 0, problem: null } });
    await bring(a, b);
    expect(await chainsOf(b)).toEqual(await chainsOf(a));
  });
}
