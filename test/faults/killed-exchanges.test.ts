import { expect, it } from "vitest";
import { chainsOf } from "../support/bring.ts";
import { startChild } from "../support/child.ts";
import { countEvents, dieAt, startCounting } from "../support/kill-moments.ts";
import { makeSessions } from "../support/many-sessions.ts";
import { openDatabase } from "../support/postgres-database.ts";
import { openAddress } from "../support/store-address.ts";
import { tempDir } from "../support/temp-dir.ts";
import { verifyAll } from "../support/verify-all.ts";

/** The longest needs many transactions. */
const lengths = [3, 0, 60, 1, 9, 30, 2, 2, 5, 40];

it.each(["SQLite", "PostgreSQL"])(
  "a process that is killed while it brings sessions to %s leaves beginnings that verify, and the next goes on",
  async (engine) => {
    await using dir = await tempDir();
    await using database = await openDatabase();
    const [from, to] = [dir.join("from"), engine === "SQLite" ? dir.join("to") : database.url];
    await using source = await openAddress(from);
    await using target = await openAddress(to);
    const { id: project } = await source.projects.recognise({ identities: ["path:/test"], name: "test" });
    await makeSessions({ replica: source.replica, project }, lengths);
    await using other = await openDatabase();
    const { work } = await countEvents(async (env) => {
      const unkilled = engine === "SQLite" ? dir.join("unkilled") : other.url;
      await using child = startCounting("exchange-child.ts", [from, unkilled], env);
      await child.ended();
    });
    const brought: number[] = [];
    // What they do together is less than the whole, so that each is killed in the middle.
    for (const share of [0.1, 0.2, 0.4]) {
      const moment = { phase: "work", number: Math.ceil(work * share), manner: "meanwhile" } as const;
      await using child = startCounting("exchange-child.ts", [from, to], dieAt(moment));
      expect(await child.ended()).toBe("SIGKILL");
      expect(Object.values(await verifyAll(target)).filter(({ problem }) => problem !== null)).toEqual([]);
      brought.push((await target.log.list()).sessions.reduce((sum, { entries }) => sum + entries, 0));
    }
    expect(brought).toEqual(brought.toSorted((one, another) => one - another));
    expect(brought.at(-1)).toBeLessThan(lengths.reduce((sum, each) => sum + each, 0));
    await using child = startChild("exchange-child.ts", from, to);
    while ((await child.next()) !== "done");
    expect(await child.ended()).toBe(0);
    expect(await chainsOf(target)).toEqual(await chainsOf(source));
  },
);
