import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConversationLog } from "../../src/sessions/conversation-log.ts";
import { parseEntryId, parseStrand } from "../../src/sessions/ids.ts";
import { anyNewEntry, collect, idsOf, later, newFork, newSession, said, start } from "../support/entries.ts";
import { one, openWithSession, type TestLog } from "./test-log.ts";

/** What every engine must do about appending and reading. */
export function appendingContract(open: () => Promise<TestLog>): void {
  it("keeps entries in the order they were appended", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "first")]);
    await test.log.append(one, [said("b", "second"), said("c", "third")]);
    expect(idsOf(await collect(test.log.read(one)))).toEqual(["a", "b", "c"]);
  });

  it("returns exactly what was appended, for any entries", async () => {
    await using test = await open();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyNewEntry, { selector: (entry) => entry.id, maxLength: 12 }),
        async (entries) => {
          count += 1;
          const { id } = await test.log.open(newSession(`any-${count}`, test.project));
          await test.log.append(id, entries);
          const read = await collect(test.log.read(id));
          const leaves = new Map<string, string>();
          const expected = entries.map((entry, index) => {
            const strand = entry.strand ?? "main";
            const parent = leaves.get(strand) ?? null;
            leaves.set(strand, entry.id);
            return { ...entry, session: id, seq: index + 1, parent, strand };
          });
          expect(read).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("acknowledges each entry with its sequence number", async () => {
    await using test = await openWithSession(open);
    const receipts = await test.log.append(one, [said("a", "1"), said("b", "2")]);
    expect(receipts).toEqual([
      { seq: 1, id: "a", isNew: true },
      { seq: 2, id: "b", isNew: true },
    ]);
  });

  it("leaves a stored entry as it is when the same id comes again", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "same"), said("b", "next")]);
    const again = await test.log.append(one, [said("a", "same", { at: later(60) }), said("c", "new")]);
    expect(again).toEqual([
      { seq: 1, id: "a", isNew: false },
      { seq: 3, id: "c", isNew: true },
    ]);
    expect((await collect(test.log.read(one))).map((entry) => [entry.id, entry.at])).toEqual([
      ["a", start],
      ["b", start],
      ["c", start],
    ]);
  });

  it("stores once what comes twice in one batch", async () => {
    await using test = await openWithSession(open);
    const receipts = await test.log.append(one, [said("a", "same"), said("a", "same")]);
    expect(receipts.map((receipt) => receipt.isNew)).toEqual([true, false]);
    expect(idsOf(await collect(test.log.read(one)))).toEqual(["a"]);
  });

  it("refuses a known id with other content, and stores nothing of the batch", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "right")]);
    const batch = [said("b", "new"), said("a", "wrong")];
    await expect(test.log.append(one, batch)).rejects.toMatchObject({
      code: "entry-conflict",
      kind: "conflict",
    });
    const worker = parseStrand("worker");
    await expect(test.log.append(one, [said("a", "right", { strand: worker })])).rejects.toMatchObject({
      code: "entry-conflict",
    });
    expect(idsOf(await collect(test.log.read(one)))).toEqual(["a"]);
  });

  it("follows the entry before on the same strand unless told otherwise", async () => {
    await using test = await openWithSession(open);
    const worker = parseStrand("worker");
    await test.log.append(one, [said("a", "1"), said("w", "2", { strand: worker }), said("b", "3")]);
    await test.log.append(one, [
      said("x", "4", { strand: worker }),
      said("c", "5", { parent: parseEntryId("a") }),
    ]);
    await test.log.append(one, [
      said("d", "6"),
      said("r", "7", { parent: null }),
      said("y", "8", { strand: worker }),
    ]);
    expect((await collect(test.log.read(one))).map((entry) => [entry.id, entry.parent])).toEqual([
      ["a", null],
      ["w", null],
      ["b", "a"],
      ["x", "w"],
      ["c", "a"],
      ["d", "c"],
      ["r", null],
      ["y", "x"],
    ]);
  });

  it("refuses a parent that the session does not have", async () => {
    await using test = await openWithSession(open);
    const orphan = said("a", "1", { parent: parseEntryId("nobody") });
    await expect(test.log.append(one, [orphan])).rejects.toMatchObject({ code: "entry-not-found" });
    expect(await collect(test.log.read(one))).toEqual([]);
  });

  it("reads a range, the last few, and one strand", async () => {
    await using test = await openWithSession(open);
    const strand = parseStrand("worker");
    const entries = Array.from({ length: 1203 }, (_, index) =>
      said(`e${index + 1}`, `text ${index + 1}`, index % 3 === 0 ? { strand } : {}),
    );
    await test.log.append(one, entries);
    const seqs = async (range: Parameters<ConversationLog["read"]>[1]) =>
      (await collect(test.log.read(one, range))).map((entry) => entry.seq);
    expect(await seqs({ from: 499, to: 502 })).toEqual([499, 500, 501, 502]);
    expect(await seqs({ from: -3 })).toEqual([1201, 1202, 1203]);
    expect(await seqs({ from: -5000, to: 2 })).toEqual([1, 2]);
    expect(await seqs({ from: 1204 })).toEqual([]);
    expect(await seqs({ strand })).toEqual(
      entries.flatMap((_, index) => (index % 3 === 0 ? [index + 1] : [])),
    );
  });

  it("keeps everything when it is opened again", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "kept")]);
    const before = { entries: await collect(test.log.read(one)), page: await test.log.list() };
    await test.reopen();
    expect({ entries: await collect(test.log.read(one)), page: await test.log.list() }).toEqual(before);
  });

  it("serialises writers of one process", async () => {
    await using test = await openWithSession(open);
    const writes = Array.from({ length: 40 }, (_, index) => test.log.append(one, [said(`p${index}`, "x")]));
    const seqs = (await Promise.all(writes)).map((receipts) => receipts[0]?.seq);
    expect(seqs.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    expect((await test.log.verify(one)).problem).toBeNull();
  });

  it("knows only sessions that were opened", async () => {
    await using test = await open();
    await expect(test.log.append(one, [said("a", "1")])).rejects.toMatchObject({
      code: "session-not-found",
    });
    await expect(collect(test.log.read(one))).rejects.toMatchObject({ code: "session-not-found" });
    await expect(test.log.verify(one)).rejects.toMatchObject({ code: "session-not-found" });
    await expect(test.log.delete(one, start)).rejects.toMatchObject({ code: "session-not-found" });
  });

  it.each([
    { name: "that climbs out", bad: "../../x" },
    { name: "with a slash", bad: "a/b" },
    { name: "like an option", bad: "-rf" },
    { name: "without characters", bad: "" },
    { name: "of 10,000 characters", bad: "x".repeat(10_000) },
    { name: "with a lone surrogate", bad: "\ud800" },
    { name: "with a space", bad: "a b" },
    { name: "of a hidden file", bad: ".hidden" },
  ])("refuses an id $name at every entrance", async ({ bad }) => {
    await using test = await openWithSession(open);
    const id = bad as typeof one;
    const refused = { code: "invalid-id", kind: "usage" };
    const entry = { ...said("a", "1"), id: bad as never };
    await expect(test.log.open({ ...newSession("one", test.project), id })).rejects.toMatchObject(refused);
    expect(() => test.log.fork({ ...newFork("two"), id })).toThrow(expect.objectContaining(refused));
    await expect(test.log.append(id, [])).rejects.toMatchObject(refused);
    await expect(test.log.append(one, [entry])).rejects.toMatchObject(refused);
    await expect(collect(test.log.read(id))).rejects.toMatchObject(refused);
    await expect(test.log.delete(id, start)).rejects.toMatchObject(refused);
    await expect(test.log.verify(id)).rejects.toMatchObject(refused);
  });
}
