import { expect, inject, it } from "vitest";
import { killRun, unkilled } from "../support/kill-runs.ts";
import { makeDatabase } from "../support/postgres-database.ts";

// Seed 3: 1.1, 5.2, 8.1, 12.2, 12.4
it("finishes a run that is killed at any moment as if it had not been, and repeats no round and no effect", async () => {
  const [parts, kills] = [6, 20];
  const { killed, worked, seed: _, ...run } = await killRun(parts, kills, "", 1);
  expect(run).toEqual(unkilled(parts));
  expect({ killed, worked }).toEqual({ killed: 20, worked: 15 });
});

// Seed 3: 8.1
it("does the same on PostgreSQL", async () => {
  await using database = await makeDatabase(inject("postgresUrl"));
  const [parts, kills] = [4, 11];
  const { killed, worked, seed: _, ...run } = await killRun(parts, kills, database.url, 2);
  expect(run).toEqual(unkilled(parts));
  expect({ killed, worked }).toEqual({ killed: 11, worked: 9 });
});
