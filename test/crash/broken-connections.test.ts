import { Socket } from "node:net";
import { describe, expect, inject, it, vi } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import type { Store } from "../../src/storage/open-store.ts";
import { parseStoreUrl } from "../../src/storage/parse-store-url.ts";
import { usualDeadlines } from "../../src/storage/postgres/deadlines.ts";
import { openDriver } from "../../src/storage/postgres/open-driver.ts";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import { collect, newSession, said } from "../support/entries.ts";
import { awaitQuiet, makeName, openDatabase } from "../support/postgres-database.ts";
import { patientDeadlines, testKey } from "../support/store-address.ts";
import { openProxy, type TcpProxy, type Weather } from "../support/tcp-proxy.ts";

const one = parseSessionId("one");
/** Longer than anything that this store does takes on a busy machine. */
const short = { ...usualDeadlines, openMs: 4000, queryMs: 5000 };

interface Behind extends AsyncDisposable {
  readonly proxy: TcpProxy;
  readonly store: Store;
}

/** Opens a store behind a proxy, in a schema of its own, with a session of two entries. */
async function openBehindProxy(deadlines = patientDeadlines): Promise<Behind> {
  const url = new URL(inject("postgresUrl"));
  const proxy = await openProxy(Number(url.port));
  url.port = String(proxy.port);
  const schema = makeName();
  const store = await openPostgres(url.href, testKey, schema, deadlines);
  const { id } = await store.projects.recognise({ identities: ["path:/x"], name: "x" });
  await store.log.open(newSession("one", id));
  await store.log.append(one, [said("e-1", "first")]);
  await store.log.append(one, [said("e-2", "second")]);
  return {
    proxy,
    store,
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

async function stored({ log }: Store): Promise<readonly string[]> {
  const entries = (await collect(log.read(one))).map((entry) => `${entry.seq} ${entry.id}`);
  expect(await log.verify(one)).toMatchObject({ entries: entries.length, problem: null });
  return entries;
}

/** The error of a write that may have happened or not. */
const unknownOutcome = {
  kind: "busy",
  code: "store-unreachable",
  message: expect.stringContaining("the connection broke"),
  hint: expect.stringContaining("may be stored"),
};

describe.each([
  // The first strand is written without reading before it, the other one is not.
  { way: "where the last append ended", batch: [said("e-3", "third"), said("e-4", "fourth")] },
  {
    way: "on another strand",
    batch: [said("e-3", "third", { strand: "worker" as never }), said("e-4", "fourth")],
  },
])("a batch that goes on $way", ({ batch }: { readonly batch: readonly NewEntry[] }) => {
  it("is stored once when the reply to its commit is lost and it comes again", async () => {
    await using behind = await openBehindProxy();
    behind.proxy.become({ type: "cut-reply", said: "COMMIT" });
    await expect(behind.store.log.append(one, batch)).rejects.toMatchObject(unknownOutcome);
    expect(await behind.store.log.append(one, batch)).toEqual([
      { seq: 3, id: "e-3", isNew: false },
      { seq: 4, id: "e-4", isNew: false },
    ]);
    expect(await stored(behind.store)).toEqual(["1 e-1", "2 e-2", "3 e-3", "4 e-4"]);
  });

  it("is followed by what comes next when the reply to its commit is lost and it never comes again", async () => {
    await using behind = await openBehindProxy();
    behind.proxy.become({ type: "cut-reply", said: "COMMIT" });
    await expect(behind.store.log.append(one, batch)).rejects.toMatchObject(unknownOutcome);
    expect(await behind.store.log.append(one, [said("e-5", "fifth")])).toEqual([
      { seq: 5, id: "e-5", isNew: true },
    ]);
    expect(await stored(behind.store)).toEqual(["1 e-1", "2 e-2", "3 e-3", "4 e-4", "5 e-5"]);
  });

  it.each(["BEGIN", "INSERT INTO entry", "UPDATE session_head", "COMMIT"])(
    "is stored when it comes again after the connection broke before %s arrived",
    async (words) => {
      await using behind = await openBehindProxy();
      behind.proxy.become({ type: "cut-before", said: words });
      await expect(behind.store.log.append(one, batch)).rejects.toMatchObject(unknownOutcome);
      expect(await stored(behind.store)).toEqual(["1 e-1", "2 e-2"]);
      expect(await behind.store.log.append(one, batch)).toEqual([
        { seq: 3, id: "e-3", isNew: true },
        { seq: 4, id: "e-4", isNew: true },
      ]);
      expect(await stored(behind.store)).toEqual(["1 e-1", "2 e-2", "3 e-3", "4 e-4"]);
    },
  );
});

it("names the conflict, not the connection that broke after it", async () => {
  await using behind = await openBehindProxy();
  behind.proxy.become({ type: "cut-before", said: "ROLLBACK" });
  await expect(behind.store.log.append(one, [said("e-2", "something else")])).rejects.toMatchObject({
    code: "entry-conflict",
  });
  expect([behind.proxy.cuts, await stored(behind.store)]).toEqual([1, ["1 e-1", "2 e-2"]]);
});

it("gives up a server that is not heard any more, and goes on when it is", async () => {
  await using behind = await openBehindProxy(short);
  const next = [said("e-3", "third")];
  behind.proxy.become({ type: "black-hole" });
  const late = { code: "store-unreachable", message: expect.stringContaining("did not answer in time") };
  // The first waits for an answer, the second for a connection.
  await expect(behind.store.log.append(one, next)).rejects.toMatchObject(late);
  await expect(behind.store.log.append(one, next)).rejects.toMatchObject(late);
  behind.proxy.become({ type: "fair" });
  behind.proxy.cutAll();
  expect(await behind.store.log.append(one, next)).toEqual([{ seq: 3, id: "e-3", isNew: true }]);
  expect(await stored(behind.store)).toEqual(["1 e-1", "2 e-2", "3 e-3"]);
});

it.each<Weather>([
  { type: "delay", ms: 20 },
  { type: "slice", bytes: 1 },
])("writes and reads the same on a connection with $type", async (weather) => {
  await using behind = await openBehindProxy();
  behind.proxy.become(weather);
  await behind.store.log.append(one, [said("e-3", "third ✓")]);
  expect(await stored(behind.store)).toEqual(["1 e-1", "2 e-2", "3 e-3"]);
});

it("does not notice that connections broke that nobody used", async () => {
  using connecting = vi.spyOn(Socket.prototype, "connect");
  await using behind = await openBehindProxy();
  const sockets = connecting.mock.contexts as Socket[];
  const own = sockets.filter(({ remotePort }) => remotePort === behind.proxy.port);
  expect(own.map(({ closed }) => closed)).toContain(false);
  behind.proxy.cutAll();
  // The news of it needs a moment to arrive.
  await vi.waitFor(() => expect(own.filter(({ closed }) => !closed)).toEqual([]), { timeout: 60_000 });
  expect(await behind.store.log.append(one, [said("e-3", "third")])).toEqual([
    { seq: 3, id: "e-3", isNew: true },
  ]);
});

it("names the end of a connection between two statements of a transaction, and goes on with another", async () => {
  await using database = await openDatabase();
  const deadlines = { ...usualDeadlines, idleInTransactionMs: 50 };
  const opened = await openDriver(parseStoreUrl(database.url), "carryon", deadlines);
  await using driver = opened.driver;
  const standStill = driver.transaction(async (transaction) => {
    await transaction.run("SELECT 1");
    await awaitQuiet(database.url);
    await transaction.run("SELECT 2");
  });
  await expect(standStill).rejects.toMatchObject({ kind: "busy", code: "store-unreachable" });
  expect(await driver.all("SELECT 3")).toEqual([[3]]);
});
