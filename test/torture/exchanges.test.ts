/**
 * TORTURE_EXCHANGES (1,000) says how many exchanges are killed for each engine of the store between two machines, and how
 * many runs of the property of three stores there are; TORTURE_ENGINE (both) on which.
 */
import { describe, expect, inject, it } from "vitest";
import { converge, convergeDescribed } from "../support/converge.ts";
import { type KilledExchanges, killExchanges } from "../support/kill-exchanges.ts";
import { makeDatabase } from "../support/postgres-database.ts";
import { report } from "../support/report.ts";
import { openAddress } from "../support/store-address.ts";
import { tempDir } from "../support/temp-dir.ts";

const size = Number(process.env.TORTURE_EXCHANGES ?? 1000);
const engines = ["sqlite", "postgres"].filter((engine) => (process.env.TORTURE_ENGINE ?? engine) === engine);

/** A store of its own for the time of `work`. */
async function withStore<Result>(
  engine: string,
  home: string,
  work: (address: string) => Promise<Result>,
): Promise<Result> {
  if (engine === "sqlite") return work(home);
  await using database = await makeDatabase(inject("postgresUrl"));
  return await work(database.url);
}

describe.each(engines)("two machines and a store on %s between them", (engine) => {
  it(`lose nothing and agree in the end after ${size} kills of push and pull`, async () => {
    const rounds: KilledExchanges[] = [];
    const sum = (key: "kills" | "midway" | "entries") =>
      rounds.reduce((total, round) => total + round[key], 0);
    const broken = () => rounds.flatMap((round) => round.broken);
    while (sum("kills") < size && broken().length === 0) {
      await using dir = await tempDir();
      const kills = Math.min(40, size - sum("kills"));
      rounds.push(
        await withStore(engine, dir.join("server"), (server) =>
          killExchanges([dir.join("one"), server, dir.join("two")], kills),
        ),
      );
    }
    report(`Kills of exchanges with ${engine}`, {
      ...{ kills: sum("kills"), midway: sum("midway"), entries: sum("entries"), broken: broken().length },
    });
    expect({ kills: sum("kills"), broken: broken() }).toEqual({ kills: size, broken: [] });
  });

  it.each([
    { what: "have the same entries", meet: converge },
    { what: "tell the same of every session", meet: convergeDescribed },
  ])(`$what after anything that happens, in ${size} runs`, async ({ what, meet }) => {
    await using dir = await tempDir();
    await withStore(engine, dir.join("server"), async (address) => {
      await using one = await openAddress(dir.join("one"));
      await using server = await openAddress(address);
      await using two = await openAddress(dir.join("two"));
      await meet([one, server, two], { runs: size });
    });
    report(`Three stores, one on ${engine}, ${what}`, { runs: size });
  });
});
