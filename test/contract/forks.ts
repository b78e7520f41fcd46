import { expect, it } from "vitest";
import { parseEntryId, parseSessionId, parseStrand } from "../../src/sessions/ids.ts";
import { collect, idsOf, later, newFork, said } from "../support/entries.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

/** What every engine must do about forks. */
export function forksContract(open: () => Promise<TestLog>): void {
  it("share everything up to the fork point and go their own way after it", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "1"), said("b", "2"), said("c", "3")]);
    const session = await test.log.fork({ ...newFork("two"), at: parseEntryId("b") });
    expect(session).toMatchObject({
      entries: 2,
      messages: 2,
      title: "1",
      forkedFrom: { session: "one", entry: "b" },
    });
    await test.log.append(two, [said("x", "mine")]);
    await test.log.append(one, [said("d", "4")]);
    expect(idsOf(await collect(test.log.read(one)))).toEqual(["a", "b", "c", "d"]);
    expect(
      (await collect(test.log.read(two))).map((entry) => [entry.id, entry.seq, entry.parent, entry.session]),
    ).toEqual([
      ["a", 1, null, "one"],
      ["b", 2, "a", "one"],
      ["x", 3, "b", "two"],
    ]);
  });

  it("can be forked again, also inside the shared part, and read in any range", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "1"), said("b", "2"), said("c", "3")]);
    await test.log.fork(newFork("two"));
    await test.log.append(two, [said("d", "4"), said("e", "5")]);
    await test.log.fork({ ...newFork("three", "two"), at: parseEntryId("d") });
    await test.log.fork({ ...newFork("four", "three"), at: parseEntryId("b") });
    await test.log.append(parseSessionId("three"), [said("f", "6")]);
    await test.log.append(parseSessionId("four"), [said("g", "7")]);
    const ids = async (id: string, from?: number) =>
      idsOf(await collect(test.log.read(parseSessionId(id), from === undefined ? {} : { from })));
    expect(await ids("three")).toEqual(["a", "b", "c", "d", "f"]);
    expect(await ids("three", -2)).toEqual(["d", "f"]);
    expect(await ids("four")).toEqual(["a", "b", "g"]);
    for (const id of ["one", "two", "three", "four"]) {
      expect((await test.log.verify(parseSessionId(id))).problem).toBeNull();
    }
  });

  it("continue each strand from where it was at the fork point", async () => {
    await using test = await openWithSession(open);
    const strand = parseStrand("worker");
    await test.log.append(one, [said("w", "1", { strand }), said("a", "2"), said("v", "3", { strand })]);
    await test.log.fork({ ...newFork("two"), at: parseEntryId("a") });
    await test.log.append(two, [said("x", "4", { strand }), said("b", "5")]);
    expect((await collect(test.log.read(two, { from: 3 }))).map((entry) => [entry.id, entry.parent])).toEqual(
      [
        ["x", "w"],
        ["b", "a"],
      ],
    );
  });

  it("know a retried entry of the shared part, and may use an id that their origin used later", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "1"), said("b", "2")]);
    await test.log.fork({ ...newFork("two"), at: parseEntryId("a") });
    expect(await test.log.append(two, [said("a", "1"), said("b", "another b")])).toEqual([
      { seq: 1, id: "a", isNew: false },
      { seq: 2, id: "b", isNew: true },
    ]);
    await expect(test.log.append(two, [said("a", "changed")])).rejects.toMatchObject({
      code: "entry-conflict",
    });
  });

  it("are made once, however often they are asked for", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "1")]);
    const first = await test.log.fork(newFork("two"));
    expect(await test.log.fork(newFork("two"))).toEqual(first);
    await expect(test.log.fork({ ...newFork("two"), startedAt: later(1) })).rejects.toMatchObject({
      code: "session-conflict",
    });
  });

  it("cannot begin at an entry that is not there, or in a session without entries", async () => {
    await using test = await openWithSession(open);
    await expect(test.log.fork(newFork("two"))).rejects.toMatchObject({ code: "nothing-to-fork" });
    await test.log.append(one, [said("a", "1")]);
    const nowhere = { ...newFork("two"), at: parseEntryId("zz") };
    await expect(test.log.fork(nowhere)).rejects.toMatchObject({ code: "entry-not-found" });
  });
}
