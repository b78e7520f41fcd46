import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openStoreForReading } from "../../src/storage/open-store.ts";
import { builders, openRunWorld } from "../support/run-world.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("a run that is saved to the cloud", () => {
  // Seed 3: 10.1
  it("is there every 5 rounds, and whole at the end", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    await mkdir(dir.join("home"), { mode: 0o700 });
    await writeFile(dir.join("home", "config.yaml"), `cloud: ${dir.join("cloud")}\n`);
    const countRounds = async () => {
      await using store = await openStoreForReading(dir.join("cloud"));
      const [session] = (await store.log.list()).sessions;
      if (session === undefined) return 0;
      const entries = await Array.fromAsync(store.log.read(session.id));
      return entries.filter(({ kind }) => kind === "round").length;
    };
    const counts: number[] = [];
    const approve = async () => {
      counts.push(await countRounds());
      return true;
    };
    const outcome = await world.start({ ...builders(7), approve, saveToCloud: true });
    expect(outcome).toMatchObject({ reason: "done", rounds: 7 });
    // Two calls are made in each round.
    expect(counts).toEqual([...Array(10).fill(0), ...Array(4).fill(5)]);
    expect(await countRounds()).toBe(7);
  });
});
