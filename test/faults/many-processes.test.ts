import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { makeDatabase } from "../support/postgres-database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { expectReceipts, startWriter } from "../support/store-writers.ts";
import { allStored, countOutcomes, findUnclear, type Outcomes, refused, storm } from "../support/storm.ts";
import { tempDir } from "../support/temp-dir.ts";

/** All of them on a machine with time to spare; on a busy one some may be told to try later. */
function expectStored(outcomes: Outcomes, processes: number): void {
  expect(findUnclear(outcomes)).toEqual([]);
  expect(outcomes[allStored]).toBeGreaterThanOrEqual(processes / 2);
}

it.each([
  { processes: 64, sessions: 64 },
  { processes: 16, sessions: 1 },
])("$processes processes at once write $sessions sessions on SQLite", async (size) => {
  await using dir = await tempDir();
  expectStored(await storm(dir.join("home"), size), size.processes);
});

it.each([
  { processes: 16, sessions: 16 },
  { processes: 16, sessions: 1 },
])("$processes processes at once write $sessions sessions on PostgreSQL", async (size) => {
  await using database = await makeDatabase(inject("postgresUrl"));
  expectStored(await storm(database.url, size), size.processes);
});

it("a process for which PostgreSQL has no connection is told that it is busy, and gets on when it is not", async () => {
  await using server = await startPostgres({ maxConnections: 4 });
  await using database = await makeDatabase(server.url);
  const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: server.url }));
  await Promise.all(clients.map((client) => client.connect()));
  const hasty = startWriter(database.url, "one", "h-", 3);
  expect(await countOutcomes([hasty])).toEqual({ [refused]: 1 });
  const patient = startWriter(database.url, "one", "p-", 3, "go-on");
  const first = patient.next();
  while (patient.errors.length === 0) await sleep(10);
  await Promise.all(clients.map((client) => client.end()));
  await first;
  expect([await patient.ended(), new Set(patient.errors)]).toEqual([0, new Set(["again store-busy"])]);
  await expectReceipts(database.url, [patient]);
});
