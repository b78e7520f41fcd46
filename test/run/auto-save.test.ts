import { readFileSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import type { RunEvent } from "../../src/run/run.ts";
import { builders, openRunWorld } from "../support/run-world.ts";
import { tempDir } from "../support/temp-dir.ts";

// Seed 3: 5.3, 5.4
it("a run writes its session file every 5 rounds while it works, and when it stops", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir, "folder");
  const sessionFile = dir.join("session.json");
  const seen: string[] = [];
  const tell = (event: RunEvent) => {
    if (event.type !== "asked" || event.who !== "instructor") return;
    const isThere = statSync(sessionFile, { throwIfNoEntry: false }) !== undefined;
    const saved = isThere ? JSON.parse(readFileSync(sessionFile, "utf8")).currentRound : "none";
    seen.push(`${event.round}: ${saved}`);
  };
  await world.start({ ...builders(11), sessionFile, tell });
  expect(seen).toEqual([
    ...["1: none", "2: none", "3: none", "4: none", "5: none"],
    ...["6: 5", "7: 5", "8: 5", "9: 5", "10: 5", "11: 10", "12: 10"],
  ]);
  expect(JSON.parse(readFileSync(sessionFile, "utf8"))).toMatchObject({ currentRound: 11 });
});
