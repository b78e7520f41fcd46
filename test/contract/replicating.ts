import fc from "fast-check";
import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { ChainFollower } from "../../src/sessions/follow-chain.ts";
import { parseEntryId, parseSessionId, parseStrand, type SessionId } from "../../src/sessions/ids.ts";
import type { LinkedEntry } from "../../src/sessions/replica.ts";
import { type TakenSession, takeSession } from "../../src/sessions/take-session.ts";
import { anyNewEntry, collect, idsOf, later, newFork, newSession, said } from "../support/entries.ts";
import { inOneBatch, readLinked, relink } from "../support/linked-entries.ts";
import { verifyAll } from "../support/verify-all.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

const secret = "correct horse battery";

/** Copies sessions from one store to another, as an import does. */
async function copy(
  from: TestLog,
  to: TestLog,
  ...ids: readonly SessionId[]
): Promise<readonly TakenSession[]> {
  const arrivals = await Promise.all(
    ids.map(async (id) => {
      const known = await from.replica.find(id);
      if (known?.type !== "there") throw new Error(`${id} is not there`);
      return { session: known.session, machine: "Laptop.local", entries: () => from.replica.read(id) };
    }),
  );
  return to.replica.receive(async (intake) => {
    const taken: TakenSession[] = [];
    for (const arrival of arrivals) taken.push(await takeSession(intake, arrival, later(99)));
    return taken;
  });
}

async function headsOf({ log }: TestLog): Promise<Readonly<Record<string, unknown>>> {
  const { sessions } = await log.list({ limit: 500 });
  return Object.fromEntries(sessions.map(({ id, head, entries }) => [id, [entries, head]]));
}

/** What every engine must do about sessions that go from store to store. */
export function replicatingContract(open: () => Promise<TestLog>): void {
  it("gives the same heads and entries elsewhere, for any session and its forks, and nothing new the second time", async () => {
    const anyPlace = fc.nat({ max: 20 });
    const anyTalk = fc.uniqueArray(anyNewEntry, { selector: ({ id }) => id, minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(anyTalk, anyTalk, anyPlace, async (talk, more, place) => {
        await using from = await openWithSession(open);
        await using to = await open();
        await from.log.append(one, talk);
        const at = talk[place % talk.length]?.id;
        await from.log.fork({ ...newFork("two"), ...(at === undefined ? {} : { at }) });
        const known = new Set(talk.map(({ id }) => id));
        await from.log.append(
          two,
          more.filter(({ id }) => !known.has(id)),
        );
        await copy(from, to, one, two);
        expect(await headsOf(to)).toEqual(await headsOf(from));
        for (const id of [one, two]) {
          expect(await collect(to.log.read(id))).toEqual(await collect(from.log.read(id)));
          expect(await to.replica.find(id)).toEqual(await from.replica.find(id));
        }
        expect((await copy(from, to, one, two)).map(({ type }) => type)).toEqual(["known", "known"]);
        expect(Object.values(await verifyAll(to))).toEqual(Object.values(await verifyAll(from)));
      }),
      { numRuns: 12 },
    );
  });

  it("follows each strand, and goes on in the copy where the original would", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    const strand = parseStrand("worker");
    await from.log.append(one, [said("a", "1"), said("w", "2", { strand }), said("b", "3")]);
    await copy(from, to, one);
    for (const { log } of [from, to]) await log.append(one, [said("v", "4", { strand }), said("c", "5")]);
    expect(await collect(to.log.read(one))).toEqual(await collect(from.log.read(one)));
    expect(await headsOf(to)).toEqual(await headsOf(from));
  });

  it("appends the rest of a session that is longer elsewhere, and leaves one that is shorter there alone", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    await from.log.append(one, [said("a", "1"), said("b", "2")]);
    await copy(from, to, one);
    await from.log.append(one, [said("c", "3")]);
    expect(await copy(from, to, one)).toEqual([
      { type: "extended", session: "one", from: "one", added: 1, redacted: 0 },
    ]);
    expect(await headsOf(to)).toEqual(await headsOf(from));
    await to.log.append(one, [said("d", "4")]);
    expect(await copy(from, to, one)).toEqual([{ type: "known", session: "one", from: "one", more: 1 }]);
    expect(idsOf(await collect(to.log.read(one)))).toEqual(["a", "b", "c", "d"]);
  });

  it("makes a fork of what went another way, at the point where the chains part, once", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    await from.log.append(one, [said("a", "1"), said("b", "2")]);
    await copy(from, to, one);
    await from.log.append(one, [said("x", "theirs")]);
    await to.log.append(one, [said("y", "ours")]);
    expect(await copy(from, to, one)).toEqual([
      { type: "parted", session: "one-laptop-local", from: "one", added: 1, redacted: 0 },
    ]);
    await from.log.append(one, [said("z", "more of theirs")]);
    expect(await copy(from, to, one)).toEqual([
      { type: "extended", session: "one-laptop-local", from: "one", added: 1, redacted: 0 },
    ]);
    expect((await copy(from, to, one))[0]).toMatchObject({ type: "known", session: "one-laptop-local" });
    const { sessions } = await to.log.list();
    expect(sessions.map(({ id, forkedFrom }) => [id, forkedFrom]).toSorted()).toEqual([
      ["one", null],
      ["one-laptop-local", { session: "one", entry: "b" }],
    ]);
    const beside = parseSessionId("one-laptop-local");
    expect(idsOf(await collect(to.log.read(beside)))).toEqual(["a", "b", "x", "z"]);
    expect((await headsOf(to))["one-laptop-local"]).toEqual((await headsOf(from)).one);
    expect(Object.values(await verifyAll(to)).map(({ problem }) => problem)).toEqual([null, null]);
  });

  it("keeps another session of the same id as a session beside it", async () => {
    await using from = await openWithSession(open);
    await using to = await openWithSession(open);
    await from.log.append(one, [said("a", "theirs")]);
    await to.log.append(one, [said("a", "ours")]);
    expect((await copy(from, to, one))[0]).toMatchObject({ type: "added", session: "one-laptop-local" });
    expect((await copy(from, to, one))[0]).toMatchObject({ type: "known", session: "one-laptop-local" });
    expect((await to.log.list({ id: parseSessionId("one-laptop-local") })).sessions[0]).toMatchObject({
      forkedFrom: null,
      title: "theirs",
    });
  });

  it("lets a fork come alone: it holds what it shares, and what that says of the origin does not describe it", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    const tagged = { ...said("t", ""), kind: "event", event: "tagged", data: { add: ["of-one"] } } as const;
    await from.log.append(one, [said("a", "1"), tagged, said("b", "2")]);
    await from.log.fork({ ...newFork("two"), at: parseEntryId("b") });
    await from.log.append(two, [said("c", "3")]);
    await copy(from, to, two);
    const [here, there] = [await to.log.list(), await from.log.list({ id: two })];
    expect(here.sessions).toEqual(there.sessions);
    expect((await collect(to.log.read(two))).map(({ id, session }) => [id, session])).toEqual(
      ["a", "t", "b", "c"].map((id) => [id, "two"]),
    );
    expect(await verifyAll(to)).toEqual({ two: { scrubbed: 0, problem: null } });
    await using third = await open();
    await copy(from, third, one);
    await copy(to, third, two);
    expect(idsOf((await collect(third.log.read(two))).filter(({ session }) => session === "two"))).toEqual([
      "c",
    ]);
    expect(await headsOf(third)).toEqual(await headsOf(from));
  });

  it("carries what was scrubbed, with the note that vouches for it", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    await from.log.append(one, [said("a", secret), said("b", "2")]);
    await from.scrubber.replace(literalPattern(secret), later(1));
    await copy(from, to, one);
    expect(await headsOf(to)).toEqual(await headsOf(from));
    expect(await verifyAll(to)).toEqual({ one: { scrubbed: 1, problem: null } });
    expect(await collect(to.log.read(one))).toEqual(await collect(from.log.read(one)));
  });

  it("keeps out what was scrubbed here, and says so in the session", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    await to.log.open(newSession("mine", to.project));
    await to.log.append(parseSessionId("mine"), [said("m", secret)]);
    await to.scrubber.replace(literalPattern(secret), later(1));
    await from.log.append(one, [said("a", secret)]);
    expect(await copy(from, to, one)).toEqual([
      { type: "added", session: "one", from: "one", added: 1, redacted: 1 },
    ]);
    expect(JSON.stringify(await collect(to.log.read(one)))).not.toContain(secret);
    expect(await verifyAll(to)).toEqual({
      mine: { scrubbed: 1, problem: null },
      one: { scrubbed: 1, problem: null },
    });
    expect((await copy(from, to, one))[0]?.type).toBe("known");
  });

  it("takes secrets out of what comes in, as a scrub does: the hashes stay, and the session notes it", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    await from.log.append(one, [said("a", "1"), said("b", "2")]);
    const token = `ghp_${"a1B2".repeat(9)}`;
    const known = await from.replica.find(one);
    if (known?.type !== "there") throw new Error("It is not there.");
    // What a store without our rules would have: the entry as it was said, in a chain of its own.
    const entries = forge(await readLinked(from.replica, one), "2", token);
    const session = { ...known.session, head: entries.at(-1)?.hash ?? null };
    const arrival = { session, machine: "m", entries: () => inOneBatch(entries) };
    const taken = await to.replica.receive((intake) => takeSession(intake, arrival, later(5)));
    expect(taken).toEqual({ type: "added", session: "one", from: "one", added: 2, redacted: 1 });
    const text = JSON.stringify(await collect(to.log.read(one)));
    expect(text).not.toContain(token);
    expect(text).toContain("[redacted:");
    expect(await verifyAll(to)).toEqual({ one: { scrubbed: 1, problem: null } });
    expect((await readLinked(to.replica, one)).map(({ hash }) => hash).slice(0, 2)).toEqual(
      entries.map(({ hash }) => hash),
    );
  });

  it("does not bring back what was deleted here", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    await from.log.append(one, [said("a", "1")]);
    await copy(from, to, one);
    await to.log.delete(one, later(1));
    expect(await copy(from, to, one)).toEqual([{ type: "deleted", session: "one", from: "one" }]);
    expect((await to.log.list()).sessions).toEqual([]);
  });

  it("takes a session without entries, and what is written in it later", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    expect((await copy(from, to, one))[0]).toMatchObject({ type: "added", added: 0 });
    expect((await copy(from, to, one))[0]).toMatchObject({ type: "known" });
    await using third = await openWithSession(open);
    await from.log.append(one, [said("a", "1")]);
    await copy(from, third, one);
    expect((await copy(to, third, one))[0]).toMatchObject({ type: "known" });
    expect((await copy(from, to, one))[0]).toMatchObject({ type: "extended", added: 1 });
    expect(await headsOf(to)).toEqual(await headsOf(from));
  });

  it("leaves nothing behind when the work fails at its end", async () => {
    await using from = await openWithSession(open);
    await using to = await open();
    await from.log.append(one, [said("a", "1")]);
    const stop = new Error("stopped");
    const known = await from.replica.find(one);
    if (known?.type !== "there") throw new Error("It is not there.");
    const arrival = { session: known.session, machine: "m", entries: () => from.replica.read(one) };
    const failing = to.replica.receive(async (intake) => {
      await takeSession(intake, arrival, later(1));
      throw stop;
    });
    await expect(failing).rejects.toBe(stop);
    expect(await to.replica.find(one)).toBeUndefined();
    expect((await to.projects.list()).length).toBe(1);
  });

  it("reads a stretch, in order and across what is shared", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "1"), said("b", "2"), said("c", "3")]);
    await test.log.fork({ ...newFork("two"), at: parseEntryId("b") });
    await test.log.append(two, [said("d", "4"), said("e", "5")]);
    const ids = (await collect(test.replica.read(two, { from: 2, to: 3 }))).flat().map(({ id }) => id);
    expect(ids).toEqual(["b", "d"]);
    const follower = new ChainFollower();
    const problems = (await readLinked(test.replica, two)).map((entry) => follower.take(entry));
    expect([problems, follower.head]).toEqual([
      [undefined, undefined, undefined, undefined],
      (await test.log.list({ id: two })).sessions[0]?.head,
    ]);
  });
}

/** Puts another text into entries, and links them into a chain of their own. */
function forge(entries: readonly LinkedEntry[], text: string, other: string): readonly LinkedEntry[] {
  return relink(
    entries.map((entry) => ({ ...entry, body: entry.body.replace(`"text":"${text}"`, `"text":"${other}"`) })),
  );
}
