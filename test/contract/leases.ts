import { expect, it } from "vitest";
import { type ProcessIdentity, readOwnIdentity } from "../../src/lib/process-identity.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";
import type { Holder, Lease } from "../../src/sessions/lease.ts";
import { corrected, tagged, titled } from "../../src/sessions/session-events.ts";
import { openWriter } from "../../src/sessions/session-writer.ts";
import { collect, idsOf, newFork, said, start } from "../support/entries.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

async function holder(more: Partial<ProcessIdentity> = {}): Promise<Holder> {
  return { process: { ...(await readOwnIdentity()), ...more }, program: "carryon append", since: start };
}

/** This process: it lives as long as the test. */
const living = () => holder();
/** A process that had the number of this one before it. */
const gone = () => holder({ started: "1" });
/** A process that cannot be seen from here. */
const elsewhere = () => holder({ host: "elsewhere", machine: "other" });

const minute = 60_000;
/** A lease of no time has run out as soon as it is there. */
const noTime = 0;

async function readIds(test: TestLog): Promise<readonly string[]> {
  return idsOf(await collect(test.log.read(one)));
}

/** What every engine must do about leases. */
export function leasesContract(open: () => Promise<TestLog>): void {
  it("lets the holder append, and nobody else while it lives", async () => {
    await using test = await openWithSession(open);
    const lease = await test.leases.acquire(one, { holder: await living(), forMs: minute });
    await test.log.append(lease, [said("a", "1")]);
    await test.log.append(lease, [said("b", "2")]);
    const refusal = { kind: "conflict", code: "session-in-use", holder: await living() };
    await expect(
      test.leases.acquire(one, { holder: await elsewhere(), forMs: minute }),
    ).rejects.toMatchObject(refusal);
    await expect(test.log.append(one, [said("c", "3")])).rejects.toMatchObject(refusal);
    await expect(test.log.delete(one, start)).rejects.toMatchObject(refusal);
    expect(await readIds(test)).toEqual(["a", "b"]);
    expect(await test.leases.find(one)).toEqual({
      epoch: lease.epoch,
      holder: await living(),
      isExpired: false,
    });
  });

  it("names the holder and offers the fork", async () => {
    await using test = await openWithSession(open);
    await test.leases.acquire(one, { holder: await living(), forMs: minute });
    const { pid, host } = await readOwnIdentity();
    await expect(test.leases.acquire(one, { holder: await living(), forMs: minute })).rejects.toMatchObject({
      message: `Session one is being written by carryon append (process ${pid} on ${host}).`,
      hint: expect.stringContaining("carryon fork one"),
    });
  });

  it("says of a session who writes it, and that it is interrupted when its writer is gone", async () => {
    await using test = await openWithSession(open);
    const see = async () => {
      const { status, writer, endedAt } = (await test.log.list({ id: one })).sessions[0] ?? {};
      return { status, writer, endedAt };
    };
    expect(await see()).toEqual({ status: "open", writer: null, endedAt: null });
    const lease = await test.leases.acquire(one, { holder: await living(), forMs: noTime });
    expect(await see()).toEqual({ status: "open", writer: await living(), endedAt: null });
    await test.leases.end(lease);
    expect(await see()).toEqual({ status: "open", writer: null, endedAt: null });
    await test.leases.acquire(one, { holder: await gone(), forMs: minute });
    expect(await see()).toEqual({ status: "interrupted", writer: null, endedAt: start });
    const later = await test.leases.acquire(one, { holder: await elsewhere(), forMs: minute });
    expect(await see()).toEqual({ status: "open", writer: await elsewhere(), endedAt: null });
    await test.leases.end(later);
    await test.leases.acquire(one, { holder: await elsewhere(), forMs: noTime });
    expect(await see()).toEqual({ status: "interrupted", writer: null, endedAt: start });
  });

  it.each([
    { name: "a dead process of this machine, however long its lease", makeHolder: gone, forMs: minute },
    { name: "a process elsewhere whose lease has run out", makeHolder: elsewhere, forMs: noTime },
  ])("is taken at once from $name, which can append no more", async ({ makeHolder, forMs }) => {
    await using test = await openWithSession(open);
    const stale = await test.leases.acquire(one, { holder: await makeHolder(), forMs });
    const lease = await test.leases.acquire(one, { holder: await living(), forMs: minute });
    expect(lease.epoch).toBeGreaterThan(stale.epoch);
    await test.log.append(lease, [said("a", "1")]);
    for (const entries of [[said("b", "2")], [said("c", "3")]]) {
      await expect(test.log.append(stale, entries)).rejects.toMatchObject({
        kind: "conflict",
        code: "lease-lost",
      });
    }
    await expect(test.leases.renew(stale)).rejects.toMatchObject({ code: "lease-lost" });
    await test.log.append(lease, [said("d", "4")]);
    expect(await readIds(test)).toEqual(["a", "d"]);
  });

  it.each([
    {
      name: "a living process of this machine, even when its lease has run out",
      makeHolder: living,
      forMs: noTime,
    },
    { name: "a process elsewhere whose lease lasts", makeHolder: elsewhere, forMs: minute },
  ])("is not taken from $name", async ({ makeHolder, forMs }) => {
    await using test = await openWithSession(open);
    await test.leases.acquire(one, { holder: await makeHolder(), forMs });
    await expect(test.leases.acquire(one, { holder: await living(), forMs: minute })).rejects.toMatchObject({
      code: "session-in-use",
    });
  });

  it("stores nothing with a lease that has run out, until it is renewed", async () => {
    await using test = await openWithSession(open);
    const lease = await test.leases.acquire(one, { holder: await living(), forMs: minute });
    await test.log.append(lease, [said("a", "1")]);
    const short: Lease = { ...lease, forMs: noTime };
    await test.leases.renew(short);
    await expect(test.log.append(lease, [said("b", "2")])).rejects.toMatchObject({ code: "lease-expired" });
    expect(await readIds(test)).toEqual(["a"]);
    await test.leases.renew(lease);
    await test.log.append(lease, [said("b", "2")]);
    expect(await readIds(test)).toEqual(["a", "b"]);
  });

  it("lasts anew with each append", async () => {
    await using test = await openWithSession(open);
    const lease = await test.leases.acquire(one, { holder: await elsewhere(), forMs: minute });
    await test.log.append(lease, [said("a", "1")]);
    await test.log.append({ ...lease, forMs: noTime }, [said("b", "2")]);
    expect(await test.leases.find(one)).toMatchObject({ isExpired: true });
  });

  it("refuses a lease that was ended, and leaves the next one alone", async () => {
    await using test = await openWithSession(open);
    const first = await test.leases.acquire(one, { holder: await living(), forMs: minute });
    await test.leases.end(first);
    expect(await test.leases.find(one)).toBeUndefined();
    await expect(test.log.append(first, [said("a", "1")])).rejects.toMatchObject({ code: "lease-lost" });
    const second = await test.leases.acquire(one, { holder: await living(), forMs: minute });
    await test.leases.end(first);
    await test.log.append(second, [said("b", "2")]);
    expect(await readIds(test)).toEqual(["b"]);
  });

  it("goes to exactly one of several that want it at once", async () => {
    await using test = await openWithSession(open);
    await test.leases.acquire(one, { holder: await gone(), forMs: minute });
    const claim = { holder: await living(), forMs: minute };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => test.leases.acquire(one, claim)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []))).toEqual(
      Array.from({ length: 7 }, () => "session-in-use"),
    );
  });

  it("does not keep others from titles, tags, remarks about the digest and forks", async () => {
    await using test = await openWithSession(open);
    const lease = await test.leases.acquire(one, { holder: await living(), forMs: minute });
    await test.log.append(lease, [said("a", "1")]);
    await test.log.append(one, [titled(parseEntryId("t"), start, "Named")]);
    await test.log.append(one, [tagged(parseEntryId("u"), start, { add: ["x"] })]);
    await test.log.append(one, [corrected(parseEntryId("w"), start, "digest-wrong", "wrong")]);
    await test.log.append(one, [corrected(parseEntryId("d"), start, "work-done")]);
    await test.log.fork(newFork("two"));
    await test.log.append(two, [said("b", "2")]);
    await test.log.append(lease, [said("c", "3")]);
    expect(await readIds(test)).toEqual(["a", "t", "u", "w", "d", "c"]);
    expect((await test.log.verify(one)).problem).toBeNull();
  });

  it("gives a session whose writer is gone to a caller without a lease", async () => {
    await using test = await openWithSession(open);
    const stale = await test.leases.acquire(one, { holder: await gone(), forMs: minute });
    await test.log.append(one, [said("a", "1")]);
    expect(await test.leases.find(one)).toBeUndefined();
    await expect(test.log.append(stale, [said("b", "2")])).rejects.toMatchObject({ code: "lease-lost" });
    expect(await readIds(test)).toEqual(["a"]);
  });

  it("survives its connection", async () => {
    await using test = await openWithSession(open);
    const lease = await test.leases.acquire(one, { holder: await living(), forMs: minute });
    await test.reopen();
    await expect(test.log.append(one, [said("a", "1")])).rejects.toMatchObject({ code: "session-in-use" });
    await test.log.append(lease, [said("b", "2")]);
    expect(await readIds(test)).toEqual(["b"]);
  });

  it("knows no lease of a session that is not there or was deleted", async () => {
    await using test = await openWithSession(open);
    const claim = { holder: await living(), forMs: minute };
    await expect(test.leases.acquire(two, claim)).rejects.toMatchObject({ code: "session-not-found" });
    const lease = await test.leases.acquire(one, { holder: await gone(), forMs: minute });
    await test.log.delete(one, start);
    await expect(test.leases.acquire(one, claim)).rejects.toMatchObject({ code: "session-not-found" });
    await expect(test.log.append(lease, [said("a", "1")])).rejects.toMatchObject({
      code: "session-not-found",
    });
  });

  it("is held by a writer until it is done", async () => {
    await using test = await openWithSession(open);
    const options = { program: "carryon chat", now: start };
    const writer = await openWriter(test, one, options);
    await writer.append([said("a", "1")]);
    await expect(openWriter(test, one, options)).rejects.toMatchObject({ code: "session-in-use" });
    await writer[Symbol.asyncDispose]();
    await using next = await openWriter(test, one, options);
    expect(await next.append([said("b", "2")])).toEqual([{ seq: 2, id: "b", isNew: true }]);
    await expect(writer.append([said("c", "3")])).rejects.toMatchObject({ code: "lease-lost" });
  });

  it("is found again by a writer that slept, unless another process has taken it", async () => {
    await using test = await openWithSession(open);
    await using writer = await openWriter(test, one, { program: "carryon chat", now: start });
    const { epoch } = (await test.leases.find(one)) ?? { epoch: 0 };
    await test.leases.renew({ session: one, epoch, forMs: noTime });
    expect(await writer.append([said("a", "1")])).toEqual([{ seq: 1, id: "a", isNew: true }]);
    await test.leases.renew({ session: one, epoch, forMs: noTime });
    await test.leases.end({ session: one, epoch });
    await test.leases.acquire(one, { holder: await elsewhere(), forMs: minute });
    await expect(writer.append([said("b", "2")])).rejects.toMatchObject({ code: "lease-lost" });
    expect(await readIds(test)).toEqual(["a"]);
  });
}
