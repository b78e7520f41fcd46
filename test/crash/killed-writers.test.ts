import { describe, expect, inject, it } from "vitest";
import { makeDatabase } from "../support/postgres-database.ts";
import { killWriters } from "../support/store-killing.ts";
import { tempDir } from "../support/temp-dir.ts";

/** More are killed in test/faults, and any number by `npm run torture -- --kills N`. */
const sizes = [{ atOnce: 4, kills: 4 }];

describe("every acknowledged entry is there, once and in order, when writers are killed at any moment", () => {
  it.each(sizes)("on SQLite, $atOnce at once", async ({ atOnce, kills }) => {
    await using dir = await tempDir();
    const killing = await killWriters(dir.join("home"), { kills, atOnce, seed: atOnce });
    expect(killing).toMatchObject({ kills, errors: [], problems: [] });
    expect(killing.writing).toBeGreaterThanOrEqual(kills / 2);
  });

  it.each(sizes)("on PostgreSQL, $atOnce at once", async ({ atOnce, kills }) => {
    await using database = await makeDatabase(inject("postgresUrl"));
    const killing = await killWriters(database.url, { kills, atOnce, seed: atOnce });
    expect(killing).toMatchObject({ kills, errors: [], problems: [] });
    expect(killing.writing).toBeGreaterThanOrEqual(kills / 2);
  });
});
