import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { DocumentRecord, readVersions } from "../../src/handover/document-record.ts";
import type { Note } from "../../src/handover/note.ts";
import { openProjectHandover } from "../../src/handover/project-handover.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { noWarning } from "../support/no-warning.ts";
import { tempDir } from "../support/temp-dir.ts";

const note = (text: string): Note => ({ tag: "PATTERN", text, source: "login Builder, task 2" });

async function open() {
  const dir = await tempDir();
  const here = await openProject({ cwd: dir.path, home: dir.join("home"), store: undefined }, "write");
  const handover = await openProjectHandover({ ...here, machine: "here", warn: noWarning });
  const { store, project, root } = here;
  const site = { log: store.log, project, root, machine: "here", clock: systemClock, random: systemRandom };
  return {
    handover,
    read: () => readFile(handover.paths.buffer, "utf8"),
    write: (text: string) => writeFile(handover.paths.buffer, text),
    versions: async () => {
      const found = await readVersions(new DocumentRecord(site, "buffer.md"));
      return found.map(({ event, text }) => [event, text]);
    },
    [Symbol.asyncDispose]: async () => {
      await here[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe("the log", () => {
  it("has every version of buffer.md that was written, and those that another hand left", async () => {
    await using test = await open();
    await test.handover.note([note("api: a")]);
    const one = await test.read();
    await test.handover.note([note("api: a")]);
    const edited = `${one}\nA remark.\n`;
    await test.write(edited);
    await test.handover.note([note("api: a")]);
    await test.handover.note([note("api: b")]);
    const two = await test.read();
    await test.handover.flush();
    const three = await test.read();
    await test.handover.dismiss("api");
    const four = await test.read();
    expect(new Set([one, edited, two, three, four]).size).toBe(5);
    expect(await test.versions()).toEqual([
      ["written", one],
      ["found", edited],
      ["written", two],
      ["written", three],
      ["written", four],
    ]);
  });

  it("remembers what was dismissed, whoever writes the document in between", async () => {
    await using test = await open();
    await test.handover.note([note("api: a"), note("api: b")]);
    expect(await test.handover.dismiss("API")).toBe(true);
    expect(await test.handover.dismiss("api")).toBe(false);
    await test.write("# Handover Buffer\n");
    const { added, candidates } = await test.handover.note([note("api: c"), note("api: d"), note("ui: e")]);
    expect([added.length, candidates]).toEqual([3, []]);
    expect((await test.handover.note([note("ui: f"), note("api: g")])).candidates).toEqual([
      { name: "ui", specs: ["login"], occurrences: 2 },
    ]);
  });
});
