import { expect, inject, it } from "vitest";
import { ask, awaitQuiet, makeDatabase } from "../support/postgres-database.ts";
import { expectReceipts, startWriter } from "../support/store-writers.ts";

it("lets the writers of one session on PostgreSQL wait in line, never for each other", async () => {
  await using database = await makeDatabase(inject("postgresUrl"));
  const writers = ["a-", "b-", "c-", "d-"].map((prefix) => startWriter(database.url, "one", prefix, 25));
  expect(await Promise.all(writers.map((writer) => writer.ended()))).toEqual([0, 0, 0, 0]);
  await awaitQuiet(database.url);
  expect(
    await ask(database.url, "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()"),
  ).toEqual([{ deadlocks: 0 }]);
  await expectReceipts(database.url, writers);
});
