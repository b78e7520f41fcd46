import { expect, inject, it } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import { bring, chainsOf } from "../support/bring.ts";
import { makeSessions } from "../support/many-sessions.ts";
import { makeName } from "../support/postgres-database.ts";
import { patientDeadlines } from "../support/store-address.ts";
import { openProxy } from "../support/tcp-proxy.ts";
import { openSqliteTestLog, openTestLog } from "../support/test-log.ts";

const key = new Uint8Array(32).fill(7);

/** Mostly short ones, some long, one of many batches. */
const lengths = Array.from({ length: 1000 }, (_, index) =>
  index === 500 ? 700 : index % 100 === 0 ? 40 : index % 3,
);

it("brings a thousand sessions to a server whose connection breaks again and again, and goes on each time", async () => {
  await using laptop = await openSqliteTestLog();
  await makeSessions(laptop, lengths);
  const schema = makeName();
  const url = new URL(inject("postgresUrl"));
  await using proxy = await openProxy(Number(url.port));
  url.port = String(proxy.port);
  await using server = await openTestLog(() => openPostgres(url.href, key, schema, patientDeadlines));
  const brought: number[] = [];
  for (const transactions of [1, 2, 3]) {
    let left = transactions;
    const cut = () => {
      left -= 1;
      if (left === 0) proxy.become({ type: "cut-before", said: "COMMIT" });
    };
    const failed = await bring(laptop, server, {
      batch: 300,
      onProgress: (done) => done % 150 === 0 && cut(),
    }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(AppError);
    expect((failed as AppError).code).toBe("store-unreachable");
    const cutShort = parseSessionId("many-500");
    if ((await server.replica.find(cutShort)) !== undefined)
      expect((await server.log.verify(cutShort)).problem).toBeNull();
    brought.push((await chainsOf(server)).length);
  }
  expect(proxy.cuts).toBe(3);
  // Each run went on from what the one before had brought.
  expect(brought).toEqual(brought.toSorted((one, other) => one - other));
  await bring(laptop, server);
  expect(await chainsOf(server)).toEqual(await chainsOf(laptop));
  expect((await bring(laptop, server)).changes).toEqual([]);
});

it("two that bring the same at once make nothing twice", async () => {
  await using one = await openSqliteTestLog();
  await using other = await openSqliteTestLog();
  await makeSessions(one, lengths.slice(0, 60));
  await bring(one, other);
  const schema = makeName();
  await using server = await openTestLog(() =>
    openPostgres(inject("postgresUrl"), key, schema, patientDeadlines),
  );
  const reports = await Promise.all([
    bring(one, server, { batch: 20, machine: "A" }),
    bring(other, server, { batch: 30, machine: "B" }),
  ]);
  expect(await chainsOf(server)).toEqual(await chainsOf(one));
  const entries = lengths.slice(0, 60).reduce((sum, length) => sum + length, 0);
  expect(reports.reduce((sum, report) => sum + report.entries, 0)).toBe(entries);
  expect(reports.flatMap(({ changes }) => changes.filter(({ type }) => type === "failed"))).toEqual([]);
});
