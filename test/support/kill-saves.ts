import { awaitOrphans, goOn, viewOf } from "./interrupt-work.ts";
import { countEvents, countingEnv, dieAt, KillMoments } from "./kill-moments.ts";
import { findLost, readHoldings } from "./save-repo.ts";
import { tempDir } from "./temp-dir.ts";
import { callIn, copyWorld, startIn } from "./work-world.ts";

/**
 * Kills saves with SIGKILL at any of their events, saves again, and returns what was wrong.
 *
 * What git was doing goes on without its caller.
 */
export async function killSaves(template: string, kills: number) {
  await using dir = await tempDir();
  const whole = await copyWorld(template, dir.join("whole"));
  const { start: events } = await countEvents(
    (more) => startIn(whole, ["save"], { ...countingEnv, ...more }).ended,
  );
  await callIn(whole, ["save"]);
  const expected = await viewOf(whole);
  const moments = new KillMoments();
  const wrong: unknown[] = [];
  for (let number = 0; number < kills; number += 1) {
    const world = await copyWorld(template, dir.join(`${number}`));
    const before = await readHoldings(world.root);
    const moment = moments.draw("start", events);
    const { signal } = await startIn(world, ["save"], { ...countingEnv, ...dieAt(moment) }).ended;
    // What git has left to do, it does now or beside the next save, which may then be told to come again.
    if (number % 2 === 0) await awaitOrphans(world.root);
    else await callIn(world, ["save"]);
    const { problems, view } = await goOn(world, { next: ["save"], lost: findLost }, before);
    const isSame = JSON.stringify(view) === JSON.stringify(expected);
    if (signal !== "SIGKILL" || problems.length > 0 || !isSame)
      wrong.push({ moment, events, signal, problems, ...(!isSame && { view, expected }) });
  }
  return wrong;
}
