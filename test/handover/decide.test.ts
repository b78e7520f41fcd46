import { appendFile, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { decide } from "../../src/handover/decide.ts";
import { inspectDecisions } from "../../src/handover/decisions/inspect-decisions.ts";
import type { RecordSite } from "../../src/handover/document-record.ts";
import { locateHandover, openHandover } from "../../src/handover/handover-folder.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import { recordClient } from "../../src/sessions/session.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { changesIn } from "../support/changes-in.ts";
import { tempDir } from "../support/temp-dir.ts";

const draft = (summary: string) => ({
  ...({ type: "USER_DECISION", summary, context: "a test", decision: summary } as const),
  ...{ reason: "because", impact: "small", source: "user" },
});

async function openSite() {
  const dir = await tempDir();
  const store = await openStore(dir.join("home"));
  const project = await store.projects.recognise({ identities: ["path:/p"], name: "p" });
  const site: RecordSite = {
    ...{ log: store.log, project, root: dir.path, machine: "here" },
    ...{ clock: systemClock, random: systemRandom },
  };
  const place = { root: dir.path, sddDir: ".sdd" };
  const path = locateHandover(place).decisions;
  const decideAs = async (by: RecordSite, summary: string) => {
    await using handover = await openHandover(place);
    return await decide(by, handover, draft(summary));
  };
  return {
    ...{ site, place, path, store },
    decide: (summary: string) => decideAs(site, summary),
    decideAs,
    report: async () => changesIn(await inspectDecisions(site, await readFile(path))),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const fine = { isIntact: true, altered: [], missing: [], repeated: [], conflicts: [] };

describe("decisions that are written down in the log", () => {
  it("are known again, and leave no session to be listed", async () => {
    await using test = await openSite();
    for (const summary of ["one", "two", "three"]) await test.decide(summary);
    expect(await test.report()).toEqual(fine);
    expect((await test.store.log.list()).sessions).toEqual([]);
    const { sessions } = await test.store.log.list({ client: recordClient });
    expect(sessions).toMatchObject([{ title: "decisions.md of p", entries: 6 }]);
  });

  it("show what another hand has added, changed and taken away", async () => {
    await using test = await openSite();
    for (const summary of ["one", "two", "three"]) await test.decide(summary);
    const text = await readFile(test.path, "utf8");
    await appendFile(test.path, "\n[2026-11-01T10:00:00Z] D9: USER_DECISION | foreign\n- Context: x\n");
    expect(await test.report()).toEqual(fine);
    await writeFile(test.path, text.replace("| two", "| other"));
    expect(await test.report()).toEqual({ ...fine, isIntact: false, altered: [2] });
    await writeFile(test.path, text.slice(0, text.indexOf("[", text.indexOf("D2:"))));
    expect(await test.report()).toMatchObject({ isIntact: false, missing: [3] });
  });

  it("count as written here when the writer was killed before it could say so", async () => {
    await using test = await openSite();
    await test.decide("one");
    const killed = { ...test.site, log: stopAfter(test.site.log, 1) };
    await expect(test.decideAs(killed, "two")).rejects.toThrow("killed");
    expect(await test.report()).toEqual(fine);
    expect((await test.decide("three")).seq).toBe(3);
    expect(await test.report()).toEqual(fine);
  });

  it("do not miss one that was announced and never written", async () => {
    await using test = await openSite();
    await test.decide("one");
    const killed = { ...test.site, log: stopAfter(test.site.log, 0) };
    await expect(test.decideAs(killed, "two")).rejects.toThrow("killed");
    expect(await test.report()).toEqual(fine);
    expect((await test.decide("three")).seq).toBe(2);
    expect(await test.report()).toEqual(fine);
  });
});

/** A log that stores what it is given and then takes no more: its process is gone. */
function stopAfter(log: RecordSite["log"], appends: number): RecordSite["log"] {
  let left = appends;
  return {
    ...log,
    list: (query) => log.list(query),
    read: (session, range) => log.read(session, range),
    append: async (...args) => {
      if (left === 0) {
        await log.append(...args);
        throw new Error("killed");
      }
      left -= 1;
      return log.append(...args);
    },
  };
}
