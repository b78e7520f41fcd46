import { setTimeout as sleep } from "node:timers/promises";
import { awaitOrphans, goOn, viewOf } from "./interrupt-work.ts";
import { findLost, readHoldings } from "./save-repo.ts";
import { tempDir } from "./temp-dir.ts";
import { callIn, copyWorld, startIn } from "./work-world.ts";

/**
 * Kills saves with SIGKILL at random moments, saves again, and returns what was wrong.
 *
 * What git was doing goes on without its caller.
 */
export async function killSaves(template: string, kills: number) {
  await using dir = await tempDir();
  const whole = await copyWorld(template, dir.join("whole"));
  const begun = performance.now();
  await startIn(whole, ["save"]).ended;
  const took = performance.now() - begun;
  await callIn(whole, ["save"]);
  const expected = await viewOf(whole);
  const wrong: unknown[] = [];
  for (let number = 0; number < kills; number += 1) {
    const world = await copyWorld(template, dir.join(`${number}`));
    const before = await readHoldings(world.root);
    const { child, ended } = startIn(world, ["save"]);
    // The first third of a save is its start.
    const after = took * (0.3 + Math.random() * 0.7);
    await sleep(after);
    child.kill("SIGKILL");
    await ended;
    // What git has left to do, it does now or beside the next save, which may then be told to come again.
    if (number % 2 === 0) await awaitOrphans(world.root);
    else await callIn(world, ["save"]);
    const { problems, view } = await goOn(world, { next: ["save"], lost: findLost }, before);
    const isSame = JSON.stringify(view) === JSON.stringify(expected);
    if (problems.length > 0 || !isSame)
      wrong.push({ after, took, problems, ...(!isSame && { view, expected }) });
  }
  return wrong;
}
