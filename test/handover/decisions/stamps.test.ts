import { appendFile, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readStamp } from "../../../src/handover/decisions/read-decisions.ts";
import { notesToSearch, stampsIn } from "../../../src/handover/decisions/recorded-decisions.ts";
import { DocumentRecord } from "../../../src/handover/document-record.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/uuid-v7.ts";
import { readBrief } from "../../../src/memory/read-brief.ts";
import { briefParts, type TestHandover } from "../../support/brief-of.ts";
import { openTestHandover } from "../../support/project-handover.ts";

const author = { machine: "here", clock: systemClock, random: systemRandom };

/** Tells whether the log says of decisions.md as it is that it need not be examined. */
async function isVouchedFor({ here, handover }: TestHandover): Promise<boolean> {
  const { project, root, store } = here;
  const site = { log: store.log, project, root, ...author };
  const notes = await Array.fromAsync(new DocumentRecord(site, "decisions.md").read(notesToSearch));
  const sddDir = handover.paths.folder.slice(root.length + 1).replace(/\/handover$/, "");
  return stampsIn(notes).has(await readStamp({ root, sddDir }));
}

/** Begins a session as its hook does: with a brief. */
async function start(test: TestHandover, session: string): Promise<void> {
  const { here, handover } = test;
  await handover.begin(session, await readBrief({ ...here, ...author }, { session }));
}

describe("the stamp of a decisions.md that was examined", () => {
  it("spares the next start the whole document, also after further decisions", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "one");
    await test.decide("USER_DECISION", "two");
    expect(await isVouchedFor(test)).toBe(false);
    await start(test, "first");
    expect(await isVouchedFor(test)).toBe(true);
    await test.decide("USER_DECISION", "three");
    await start(test, "second");
    expect(await isVouchedFor(test)).toBe(true);
    expect((await briefParts(test)).Problems).toBeUndefined();
  });

  it("does not hide a change of the same length with the time of before", async () => {
    await using test = await openTestHandover();
    for (const summary of ["one", "two"]) await test.decide("USER_DECISION", summary);
    await start(test, "first");
    const { decisions: path } = test.handover.paths;
    const { atime, mtime } = await stat(path);
    await writeFile(path, (await readFile(path, "utf8")).replace("| two", "| too"));
    await utimes(path, atime, mtime);
    expect(await isVouchedFor(test)).toBe(false);
    expect((await briefParts(test)).Problems).toContain("D2 says something else than was written here.");
  });

  it("is not kept of a document that another hand has changed, whatever is appended to it", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "one");
    await start(test, "first");
    await appendFile(test.handover.paths.decisions, "\n[2026-11-01T10:00:00Z] D9: USER_DECISION | bare\n");
    await test.decide("USER_DECISION", "two");
    await start(test, "second");
    expect(await isVouchedFor(test)).toBe(false);
    expect((await briefParts(test)).Problems).toContain("D9 has no fields");
  });

  it("is not kept of a document in which others wrote before", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "one");
    const { decisions: path } = test.handover.paths;
    await writeFile(path, `<<<<<<< ours\n${await readFile(path, "utf8")}`);
    await start(test, "first");
    expect(await isVouchedFor(test)).toBe(false);
    expect((await briefParts(test)).Problems).toContain("a git merge left its marks in line 1");
  });
});
