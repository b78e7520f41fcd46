import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseBuffer } from "../../src/handover/buffer/buffer-doc.ts";
import { parseDecisions } from "../../src/handover/decisions/parse-decisions.ts";
import { locateHandover, openHandover } from "../../src/handover/handover-folder.ts";
import { parseSession } from "../../src/handover/parse-session.ts";
import { sortArchives } from "../../src/handover/session/archive-session.ts";
import { startChild } from "../support/child.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const place = (dir: TempDir) => ({ root: dir.path, sddDir: ".sdd" });

describe("archiveSession", () => {
  it("leaves, when its process is killed, an old or a new document, and every earlier one once", async () => {
    await using dir = await tempDir();
    const paths = locateHandover(place(dir));
    for (let round = 0; round < 8; round += 1) {
      await using child = startChild("polish-child.ts", dir.path);
      for (let i = 0; i <= round % 3; i += 1) await child.next();
      await new Promise((resolve) => setTimeout(resolve, round * 3));
      child.kill("SIGKILL");
      await child.ended();
    }
    const goalOf = async (path: string) => Number(parseSession(await readFile(path, "utf8")).doc.goal);
    const last = await goalOf(paths.session);
    const archived = await Promise.all(
      sortArchives(await readdir(paths.archive)).map((name) => goalOf(join(paths.archive, name))),
    );
    const earlier = Array.from({ length: last }, (_, index) => index + 1);
    await using _handover = await openHandover(place(dir));
    const left = [...(await readdir(paths.folder)), ...(await readdir(paths.archive))];
    expect(left.filter((name) => name.endsWith(".carryon-tmp"))).toEqual([]);
    // Killed between the two writes, it leaves a copy of the document that is still there.
    expect(earlier).toEqual(archived.at(-1) === last ? archived : [...archived, last]);
  });
});

describe("flushNotes", () => {
  // Seed 0: 5.6
  it("has every note in the buffer or in the knowledge, whenever its process is killed", async () => {
    await using dir = await tempDir();
    const paths = locateHandover(place(dir));
    const noted: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await using child = startChild("flush-child.ts", dir.path, String(round * 1000));
      for (let i = 0; i <= 1 + (round % 4); i += 1) noted.push(Number(await child.next()));
      await new Promise((resolve) => setTimeout(resolve, round));
      child.kill("SIGKILL");
      await child.ended();
    }
    const buffered = parseBuffer(await readFile(paths.buffer, "utf8")).doc.notes.map(({ text }) => text);
    const names = (await readdir(paths.knowledge)).filter((name) => name.endsWith(".md"));
    const known = (
      await Promise.all(names.map((name) => readFile(join(paths.knowledge, name), "utf8")))
    ).join("\n");
    const everywhere = `${known}\n${buffered.join("\n")}\n`;
    const lost = noted.filter((number) => !new RegExp(`api: number ${number}\\b`).test(everywhere));
    expect([noted.length, lost]).toEqual([28, []]);
  });
});

describe("appendDecision", () => {
  it("loses no acknowledged decision when its process is killed, and goes on", async () => {
    await using dir = await tempDir();
    const acknowledged: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await using child = startChild("decide-child.ts", dir.path, "1000", `round-${round}`);
      for (let i = 0; i < 3; i += 1) acknowledged.push(Number(await child.next()));
      child.kill("SIGKILL");
      await child.ended();
    }
    const text = await readFile(locateHandover(place(dir)).decisions, "utf8");
    const found = parseDecisions(text).decisions.map(({ seq }) => seq);
    expect(found).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(found).size).toBe(found.length);
  });
});

describe("carryon handover draft", () => {
  it("and killed at any moment leaves a document that is whole and in the log", async () => {
    await using carryon = await openCarryon();
    const path = join(carryon.folder, "work/.claude/sdd/handover/session.md");
    await carryon.ask(["handover", "draft", "--done", "first"]);
    for (let round = 0; round < 6; round += 1) {
      const children = Array.from({ length: 3 }, (_, index) =>
        carryon.start(["handover", "draft", "--done", `round ${round}, ${index}`]),
      );
      const ended = children.map((child) => once(child, "close"));
      // Until one is done, the others are somewhere on their way.
      await Promise.race(ended);
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(ended);
      const { versions } = JSON.parse(await carryon.ask(["handover", "--history", "--json"]));
      expect(versions.map(({ text }: { text: string }) => text)).toContain(await readFile(path, "utf8"));
    }
    await carryon.ask(["handover", "draft", "--done", "last"]);
    expect(await readFile(path, "utf8")).toMatch(/## Accomplished\n- first\n(?:- round \d, \d\n)+- last\n/);
  });
});
