import { expect, it } from "vitest";
import { chainsOf } from "../support/bring.ts";
import { startChild } from "../support/child.ts";
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
    const brought: number[] = [];
    for (const lines of [1, 3, 6]) {
      await using child = startChild("exchange-child.ts", from, to);
      for (let line = 0; line < lines; line += 1) await child.next();
      child.kill("SIGKILL");
      expect(await child.ended()).toBe("SIGKILL");
      expect(Object.values(await verifyAll(target)).filter(({ problem }) => problem !== null)).toEqual([]);
      brought.push((await target.log.list()).sessions.reduce((sum, { entries }) => sum + entries, 0));
    }
    expect(brought).toEqual(brought.toSorted((one, other) => one - other));
    await using child = startChild("exchange-child.ts", from, to);
    while ((await child.next()) !== "done");
    expect(await child.ended()).toBe(0);
    expect(await chainsOf(target)).toEqual(await chainsOf(source));
  },
);
