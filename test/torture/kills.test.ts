/**
 * TORTURE_KILLS (10,000) says how many writers are killed on each engine, TORTURE_ENGINE (both) on which, and
 * TORTURE_WRITERS (1, 4 and 16, a third each) how many write at once.
 */
import { describe, expect, inject, it } from "vitest";
import { makeDatabase } from "../support/postgres-database.ts";
import { report } from "../support/report.ts";
import { countProblems } from "../support/store-audit.ts";
import { type Killing, killWriters } from "../support/store-killing.ts";
import { tempDir } from "../support/temp-dir.ts";

const kills = Number(process.env.TORTURE_KILLS ?? 10_000);
const sizes = (process.env.TORTURE_WRITERS ?? "1,4,16").split(",").map(Number);
const shares = sizes.map((atOnce, index) => ({
  atOnce,
  share: Math.floor(((index + 1) * kills) / sizes.length) - Math.floor((index * kills) / sizes.length),
}));

type Kill = (kills: number, atOnce: number) => Promise<Killing>;

const onSqlite: Kill = async (number, atOnce) => {
  await using dir = await tempDir();
  return await killWriters(dir.join("home"), { kills: number, atOnce });
};

const onPostgres: Kill = async (number, atOnce) => {
  await using database = await makeDatabase(inject("postgresUrl"));
  return await killWriters(database.url, { kills: number, atOnce });
};

const engines = [
  { engine: "sqlite", name: "SQLite", kill: onSqlite },
  { engine: "postgres", name: "PostgreSQL", kill: onPostgres },
].filter(({ engine }) => (process.env.TORTURE_ENGINE ?? engine) === engine);

describe.each(engines)("loses no acknowledged entry on $name", ({ name, kill }) => {
  it.each(shares)("in $share kills of $atOnce writers", async ({ atOnce, share }) => {
    const rounds: Killing[] = [];
    const sum = (key: "kills" | "writing" | "receipts") =>
      rounds.reduce((total, round) => total + round[key], 0);
    const problems = () => rounds.flatMap((round) => round.problems);
    while (sum("kills") < share && problems().length === 0) {
      // A new store now and then: it is checked as a whole after each round.
      rounds.push(await kill(Math.min(10 * atOnce, share - sum("kills")), atOnce));
    }
    const errors = rounds.flatMap((round) => round.errors);
    report(`Kills on ${name}`, {
      ...{ kills: sum("kills"), writers: atOnce, writing: sum("writing"), receipts: sum("receipts") },
      ...{ errors: errors.length, ...countProblems(problems()) },
    });
    const seeds = rounds.map(({ seed }) => seed);
    expect({ kills: sum("kills"), errors, problems: problems(), seeds }).toEqual({
      kills: share,
      errors: [],
      problems: [],
      seeds,
    });
    expect(sum("writing")).toBeGreaterThanOrEqual(Math.floor(share / 2));
  });
});
