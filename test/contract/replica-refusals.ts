import { expect, it } from "vitest";
import { parseEntryId } from "../../src/sessions/ids.ts";
import type { LinkedEntry } from "../../src/sessions/replica.ts";
import { takeSession } from "../../src/sessions/take-session.ts";
import { later, said } from "../support/entries.ts";
import { inOneBatch, readLinked, relink } from "../support/linked-entries.ts";
import { one, openWithSession, type TestLog } from "./test-log.ts";

/** What every engine must refuse of sessions that come from another store. */
export function replicaRefusalsContract(open: () => Promise<TestLog>): void {
  it.each([
    { wrong: "a hash", change: { hash: "0".repeat(64) }, reason: "its content does not match its hash" },
    { wrong: "a gap", change: { seq: 3 }, reason: "entry 2 must come next" },
    { wrong: "content", change: { body: '{"role":"user","parts":[]}' }, reason: "does not match its hash" },
  ])("refuses a stretch with $wrong, and stores nothing of it", async ({ change, reason }) => {
    await using from = await openWithSession(open);
    await using to = await open();
    await from.log.append(one, [said("a", "1"), said("b", "2")]);
    const known = await from.replica.find(one);
    if (known?.type !== "there") throw new Error("It is not there.");
    const [first, second] = await readLinked(from.replica, one);
    const entries = () => inOneBatch([first, { ...second, ...change }] as LinkedEntry[]);
    const session = { ...known.session, entries: 3 };
    const arrival = { session, machine: "m", entries };
    await expect(
      to.replica.receive((intake) => takeSession(intake, arrival, later(1))),
    ).rejects.toMatchObject({ code: "broken-stretch", message: expect.stringContaining(reason) });
    expect((await to.log.list()).sessions).toEqual([]);
  });

  it.each([
    { wrong: "an id that comes twice", ids: ["a", "a"], parents: [null, "a"] },
    { wrong: "a parent that is not there", ids: ["a", "b"], parents: [null, "zz"] },
  ])("refuses $wrong", async ({ ids, parents }) => {
    await using from = await openWithSession(open);
    await using to = await open();
    await from.log.append(one, [said("a", "1"), said("b", "2")]);
    const known = await from.replica.find(one);
    if (known?.type !== "there") throw new Error("It is not there.");
    const entries = relink(
      (await readLinked(from.replica, one)).map((entry, index) => ({
        ...entry,
        id: parseEntryId(ids[index] ?? ""),
        parent: parents[index] == null ? null : parseEntryId(parents[index]),
      })),
    );
    const session = { ...known.session, head: entries.at(-1)?.hash ?? null };
    const arrival = { session, machine: "m", entries: () => inOneBatch(entries) };
    await expect(
      to.replica.receive((intake) => takeSession(intake, arrival, later(1))),
    ).rejects.toMatchObject({ code: "broken-stretch", seq: 2 });
    expect((await to.log.list()).sessions).toEqual([]);
  });
}
