import { expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import { readBrief } from "../../src/memory/read-brief.ts";
import type { DigestStore } from "../../src/sessions/digest-store.ts";
import { message, minute, openRecordedWork, ran, text } from "../support/recorded-work.ts";

it("reads each digest once for a session that begins, though its work, tasks and blocker come from it", async () => {
  await using work = await openRecordedWork();
  const failed = { input: { command: "npm test" }, output: "Tests  1 failed (4)\n", failed: true };
  for (const id of ["one", "two"])
    await work.record(id, [
      message(minute(1), "user", text(`Mend the form ${id}`)),
      ...ran(minute(2), failed),
    ]);
  const { store } = work.here;
  const read: string[] = [];
  const digests: DigestStore = {
    read: (sessions) => {
      read.push(...sessions);
      return store.digests.read(sessions);
    },
    keep: (...args) => store.digests.keep(...args),
    clear: () => store.digests.clear(),
  };
  const counted = Object.create(store, { digests: { value: digests }, log: { value: store.log } });
  const place = { ...work.here, machine: "here", clock: systemClock, random: systemRandom };
  const { parts } = await readBrief({ ...place, store: counted }, { session: "three" });
  expect(parts.find(({ name }) => name === "Blocker")?.text).toContain("npm test");
  expect([read.length, new Set(read)]).toEqual([2, new Set(["one", "two"])]);
});
