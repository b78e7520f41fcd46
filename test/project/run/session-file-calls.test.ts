import { expect, it } from "vitest";
import { builders, builtFiles, openRunWorld } from "../../support/run-world.ts";
import { tempDir } from "../../support/temp-dir.ts";

it("a call that was not begun when a session file was written is made where the run goes on", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  const sessionFile = dir.join("session.json");
  const { reason } = await world.start({ ...builders(1), sessionFile, limits: { tokens: 20 } });
  expect([reason, await world.files()]).toEqual(["tokens", {}]);
  const elsewhere = { sessionFile, home: dir.join("elsewhere"), limits: { tokens: 1000 } };
  expect(await world.resume({ ...builders(1), ...elsewhere })).toMatchObject({ reason: "done", rounds: 1 });
  expect(await world.files()).toEqual(builtFiles(1));
  expect(world.events.filter(({ type }) => type === "repaired")).toEqual([]);
});
