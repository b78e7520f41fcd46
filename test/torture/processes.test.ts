/** Many processes at once; TORTURE_ENGINE (both) says on which engine. */
import { describe, expect, inject, it } from "vitest";
import { makeDatabase } from "../support/postgres-database.ts";
import { report } from "../support/report.ts";
import { findUnclear, storm } from "../support/storm.ts";
import { tempDir } from "../support/temp-dir.ts";

type Size = Parameters<typeof storm>[1];

const engines = [
  {
    engine: "sqlite",
    name: "SQLite",
    run: async (size: Size) => {
      await using dir = await tempDir();
      return await storm(dir.join("home"), size);
    },
  },
  {
    engine: "postgres",
    name: "PostgreSQL",
    run: async (size: Size) => {
      await using database = await makeDatabase(inject("postgresUrl"));
      return await storm(database.url, size);
    },
  },
].filter(({ engine }) => (process.env.TORTURE_ENGINE ?? engine) === engine);

describe.each(engines)("on $name everything is stored or clearly refused when", ({ name, run }) => {
  it.each([
    { processes: 64, sessions: 64 },
    { processes: 16, sessions: 1 },
    { processes: 64, sessions: 1 },
    { processes: 256, sessions: 256 },
  ])("$processes processes at once write $sessions sessions", async (size) => {
    const outcomes = await run(size);
    report(`${size.processes} processes on ${size.sessions} sessions of ${name}`, outcomes);
    expect(findUnclear(outcomes)).toEqual([]);
  });
});
