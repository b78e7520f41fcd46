import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { scrubbed } from "../../src/sessions/scrub-note.ts";
import { collect, later, newFork, newSession, said } from "../support/entries.ts";
import { verifyAll } from "../support/verify-all.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

const secret = "correct horse battery";
const pattern = literalPattern(secret);
const three = parseSessionId("three");

/** What every engine must do about the sessions whose entries are scrubbed: each notes it, so that its chain covers it again. */
export function scrubNotesContract(open: () => Promise<TestLog>): void {
  it("notes it in every fork that shares the entry, also where the origin is gone", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    await log.append(one, [said("a", "1"), said("b", secret), said("c", "3")]);
    await log.fork({ ...newFork("before"), at: parseEntryId("a") });
    await log.fork(newFork("two"));
    await log.append(two, [said("d", "4")]);
    await log.fork(newFork("three", "two"));
    await log.delete(one, later(1));
    expect((await test.scrubber.find(pattern)).sessions).toEqual([
      { session: "two", entries: 1, describedIn: [] },
      { session: "three", entries: 1, describedIn: [] },
    ]);
    expect(await test.scrubber.replace(pattern, later(2))).toMatchObject({ entries: 1, sessions: 2 });
    const ends = async (id: string) => (await collect(log.read(parseSessionId(id), { from: -1 })))[0]?.kind;
    expect([await ends("before"), await ends("two"), await ends("three")]).toEqual([
      "message",
      "event",
      "event",
    ]);
    expect(await verifyAll(test)).toEqual({
      before: { scrubbed: 0, problem: null },
      two: { scrubbed: 1, problem: null },
      three: { scrubbed: 1, problem: null },
    });
  });

  it("notes it in a later fork that does not share the note, and not twice in one that does", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    await log.append(one, [said("a", secret), said("b", "2")]);
    await test.scrubber.replace(pattern, later(1));
    await log.append(one, [said("c", "3")]);
    const early = await log.fork({ ...newFork("two"), at: parseEntryId("b") });
    const late = await log.fork(newFork("three"));
    expect([early.entries, late.entries]).toEqual([3, 4]);
    expect(await log.fork({ ...newFork("two"), at: parseEntryId("b") })).toEqual(early);
    await log.append(two, [said("d", "4")]);
    await log.append(three, [said("d", "4")]);
    await log.delete(one, later(2));
    const whole = { scrubbed: 1, problem: null };
    expect(await verifyAll(test)).toEqual({ two: whole, three: whole });
  });

  it("refuses a note that no scrub made, as part of a batch too, and the session verifies", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    await log.append(one, [said("a", secret)]);
    await test.scrubber.replace(pattern, later(1));
    const made = scrubbed(parseEntryId("x"), later(2), [{ id: parseEntryId("a"), hash: "0".repeat(64) }]);
    for (const entries of [[made], [said("b", "2"), made]])
      await expect(log.append(one, entries)).rejects.toMatchObject({ kind: "usage", code: "bad-entry" });
    expect((await log.list({ id: one })).sessions[0]?.entries).toBe(2);
    expect(await verifyAll(test)).toEqual({ one: { scrubbed: 1, problem: null } });
  });

  it("counts and notes every entry that shares a body", async () => {
    await using test = await openWithSession(open);
    await test.log.open(newSession("two", test.project));
    await test.log.append(one, [said("a", secret), said("b", secret)]);
    await test.log.append(two, [said("c", secret)]);
    expect(await test.scrubber.replace(pattern, later(1))).toMatchObject({ entries: 3, sessions: 2 });
    expect(await verifyAll(test)).toEqual({
      one: { scrubbed: 2, problem: null },
      two: { scrubbed: 1, problem: null },
    });
    await test.log.delete(one, later(2));
    await test.log.append(two, [said("d", secret)]);
    expect(await verifyAll(test)).toEqual({ two: { scrubbed: 1, problem: null } });
  });

  it("goes through a store of any size batch by batch, and finishes what was interrupted", async () => {
    await using test = await openWithSession(open);
    const { log, scrubber } = test;
    const entries = Array.from({ length: 1300 }, (_, index) => said(`e${index}`, `${index} ${secret}`));
    await log.append(one, entries);
    const stop = new Error("stopped");
    const seen: number[] = [];
    const stopped = scrubber.replace(pattern, later(1), (bodies) => {
      seen.push(bodies);
      if (bodies > 500) throw stop;
    });
    await expect(stopped).rejects.toBe(stop);
    expect(seen).toEqual([500, 1000]);
    expect(await scrubber.find(pattern)).toMatchObject({ entries: 300, isUnfinished: true });
    expect(await verifyAll(test)).toEqual({ one: { scrubbed: 1000, problem: null } });
    expect(await scrubber.replace(pattern, later(2))).toEqual({
      ...{ entries: 300, sessions: 1, projectNames: 0, damaged: [], isWiped: true },
    });
    expect(await verifyAll(test)).toEqual({ one: { scrubbed: 1300, problem: null } });
    expect(await scrubber.find(pattern)).toMatchObject({ entries: 0, sessions: [], isUnfinished: false });
    const notes = (await collect(log.read(one, { from: 1301 }))).map(
      (note) => note.kind === "event" && note.event,
    );
    expect(notes).toEqual(["scrubbed", "scrubbed", "scrubbed"]);
  });

  it("misses nothing that is appended or forked at the same time as far as the chain is concerned", async () => {
    await using test = await openWithSession(open);
    const { log, scrubber } = test;
    await log.append(
      one,
      Array.from({ length: 30 }, (_, index) => said(`e${index}`, `${index} ${secret}`)),
    );
    const write = async () => {
      for (let index = 0; index < 30; index += 1) {
        await log.append(one, [said(`n${index}`, `${index} ${secret}`)]);
        await log.fork({ ...newFork(`fork-${index}`), at: parseEntryId(`e${index}`) });
      }
    };
    await Promise.all([write(), scrubber.replace(pattern, later(1))]);
    await scrubber.replace(pattern, later(2));
    expect(await scrubber.find(pattern)).toMatchObject({ entries: 0, sessions: [], isUnfinished: false });
    const problems = Object.values(await verifyAll(test)).filter(({ problem }) => problem !== null);
    expect(problems).toEqual([]);
  });
}
