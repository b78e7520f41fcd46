import { expect, it } from "vitest";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import type { JsonObject } from "../../src/sessions/entry.ts";
import { addToRecord } from "../../src/sessions/project-record.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { toWireState } from "../../src/work/render-work-state.ts";
import { WorkRecord } from "../../src/work/work-record.ts";
import { bareState } from "../support/saved-state.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Opens the record of a folder in a store of its own; each call of `tick` is a minute later. */
async function openRecord() {
  const dir = await tempDir();
  const store = await openStore(dir.join("home"));
  const root = dir.join("work");
  const project = await store.projects.recognise({ identities: [`path:${root}`], name: "work" });
  let minute = 0;
  const at = (of: number) => new Date(Date.UTC(2026, 10, 16, 12, of));
  const clock = { now: () => at(minute) };
  const site = { ...{ log: store.log, project, root, machine: "here", clock }, random: systemRandom };
  return {
    ...{ site, at, record: new WorkRecord(site) },
    tick: () => {
      minute += 1;
    },
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

it("goes on with the notes of the state before, those included that 0.1.0 had in the blocker", async () => {
  await using opened = await openRecord();
  const { record, site } = opened;
  const blocker = { type: "build_error", description: "x", recovery_command: "c0ffee" };
  const old = {
    ...toWireState(bareState),
    blocker,
    root: site.root,
    tasks_told_at: opened.at(0).toISOString(),
  };
  await addToRecord(
    { site, prefix: "work-state-", title: "session-state.json" },
    { kind: "checkpoint", state: old as JsonObject },
  );
  const noted = { tasksToldAt: opened.at(0), begunAt: undefined, recoveryCommand: "c0ffee" };
  expect(await record.notes()).toEqual(noted);
  await record.keep(bareState);
  expect(await record.notes()).toEqual(noted);
  await record.keep(bareState, { begunAt: opened.at(1), recoveryCommand: undefined });
  expect(await record.notes()).toEqual({ ...noted, begunAt: opened.at(1), recoveryCommand: undefined });
});

it("finds the runs since a moment, however many checkpoints came after them", async () => {
  await using opened = await openRecord();
  const { record, at } = opened;
  const run = { check: "build", command: "make", exitCode: 1, output: "no rule" } as const;
  const checkpoints = [3, 7, 40];
  for (const count of checkpoints) {
    opened.tick();
    await record.keepRun(run);
    for (let kept = 0; kept < count; kept += 1) {
      opened.tick();
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
