import { expect, it } from "vitest";
import { replayDry } from "../../src/run/replay-dry.ts";
import { builders, builtFiles, openRunWorld } from "../support/run-world.ts";
import { tempDir } from "../support/temp-dir.ts";

it("a dry replay holds what was done here against the record, and takes what a file has brought as it is", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  const sessionFile = dir.join("session.json");
  await world.start({ ...builders(3), sessionFile, limits: { rounds: 1 } });
  const home = dir.join("elsewhere");
  const { session } = await world.resume({ ...builders(3), sessionFile, home, limits: { rounds: 9 } });
  const replayed = await replayDry({ cwd: world.folder, home, session });
  expect(replayed).toMatchObject({ rounds: 3, difference: null, unchecked: 13 });
  // Two rounds, of which the file has the first ruling, and the end.
  expect(replayed.entries).toBe(10 + 11 + 3);
});

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

it("a session file is never a file of the home, for a new run or a resumed one", async () => {
  await using dir = await tempDir();
  const world = await openRunWorld(dir);
  const { session } = await world.start({ ...builders(3), limits: { rounds: 1 } });
  const file = { ...builders(3), home: dir.join("home"), sessionFile: dir.join("home", "store.db-wal") };
  await expect(world.start(file)).rejects.toMatchObject({ code: "own-file" });
  await expect(world.resume({ ...file, session })).rejects.toMatchObject({ code: "own-file" });
});
