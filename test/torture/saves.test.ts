/** TORTURE_SAVES (500) says how many saves are killed. */
import { expect, it } from "vitest";
import { killSaves } from "../support/kill-saves.ts";
import { report } from "../support/report.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeUnsavedWorld } from "../support/work-world.ts";

const saves = Number(process.env.TORTURE_SAVES ?? 500);

it(`loses nothing in ${saves} kills of a save`, async () => {
  let killed = 0;
  const wrong: unknown[] = [];
  while (killed < saves && wrong.length === 0) {
    // Every kill has a repository of its own, so that a round is small on disk.
    const round = Math.min(50, saves - killed);
    await using dir = await tempDir();
    await makeUnsavedWorld(dir.path);
    wrong.push(...(await killSaves(dir.path, round)));
    killed += round;
  }
  report("Kills of saves", { kills: killed, wrong: wrong.length });
  expect({ killed, wrong }).toEqual({ killed: saves, wrong: [] });
});
