import { expect, inject, it } from "vitest";
import { killRun, unkilled } from "../support/kill-runs.ts";
import { makeDatabase } from "../support/postgres-database.ts";

it("finishes a run that is killed at any moment as if it had not been, and repeats no round and no effect", async () => {
  const [parts, kills] = [12, 40];
  const { killed, ...run } = await killRun(parts, kills);
  expect(run).toEqual(unkilled(parts));
  expect(killed).toBeGreaterThan(kills / 2);
});

it("does the same on PostgreSQL", async () => {
  await using database = await makeDatabase(inject("postgresUrl"));
  const [parts, kills] = [4, 11];
  const { killed, ...run } = await killRun(parts, kills, database.url);
  expect(run).toEqual(unkilled(parts));
  expect(killed).toBeGreaterThan(kills / 3);
});
