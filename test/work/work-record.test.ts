import { expect, it } from "vitest";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { WorkRecord } from "../../src/work/work-record.ts";
import { bareState } from "../support/saved-state.ts";
import { tempDir } from "../support/temp-dir.ts";

it("finds the runs since a moment, however many checkpoints came after them", async () => {
  await using dir = await tempDir();
  await using store = await openStore(dir.join("home"));
  const root = dir.join("work");
  const project = await store.projects.recognise({ identities: [`path:${root}`], name: "work" });
  let minute = 0;
  const at = (of: number) => new Date(Date.UTC(2026, 10, 16, 12, of));
  const clock = { now: () => at(minute) };
  const record = new WorkRecord({
    ...{ log: store.log, project, root, machine: "here", clock, random: systemRandom },
  });
  const run = { check: "build", command: "make", exitCode: 1, output: "no rule" } as const;
  const checkpoints = [3, 7, 40];
  for (const count of checkpoints) {
    minute += 1;
    await record.keepRun(run);
    for (let kept = 0; kept < count; kept += 1) {
      minute += 1;
      await record.keep(bareState);
    }
  }
  const since = async (moment: number | undefined) =>
    (await record.since(moment === undefined ? undefined : at(moment))).runs.map((each) => each.at);
  expect([await since(undefined), await since(1), await since(2), await since(6), await since(14)]).toEqual([
    [at(1), at(5), at(13)],
    [at(1), at(5), at(13)],
    [at(5), at(13)],
    [at(13)],
    [],
  ]);
});
