/** TORTURE_RUNS (500) says how many times runs are killed on each engine, TORTURE_ENGINE (both) on which. */
import { describe, expect, inject, it } from "vitest";
import { type KilledRun, killRun, unkilled } from "../support/kill-runs.ts";
import { makeDatabase } from "../support/postgres-database.ts";
import { report } from "../support/report.ts";

const kills = Number(process.env.TORTURE_RUNS ?? 500);
const [parts, mostInOne] = [12, 40];

const onPostgres = async (most: number): Promise<KilledRun> => {
  await using database = await makeDatabase(inject("postgresUrl"));
  return await killRun(parts, most, database.url);
};

const engines = [
  { engine: "sqlite", name: "SQLite", kill: (most: number) => killRun(parts, most) },
  { engine: "postgres", name: "PostgreSQL", kill: onPostgres },
].filter(({ engine }) => (process.env.TORTURE_ENGINE ?? engine) === engine);

describe.each(engines)("on $name", ({ name, kill }) => {
  it(`finishes all runs in ${kills} kills as if there had been none`, async () => {
    let [killed, runs] = [0, 0];
    while (killed < kills) {
      const asked = Math.min(mostInOne, kills - killed);
      const { worked: _, ...run } = await kill(asked);
      expect(run).toEqual({ ...unkilled(parts), killed: asked, seed: run.seed });
      killed += asked;
      runs += 1;
    }
    report(`Kills of runs on ${name}`, { kills: killed, runs });
  });
});
