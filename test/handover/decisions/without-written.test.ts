import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { holdsText, withoutWritten } from "../../../src/handover/decisions/read-decisions.ts";
import { digestOf } from "../../../src/handover/decisions/watermark.ts";
import { locateHandover } from "../../../src/handover/handover-folder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const entry = (seq: number, summary: string) =>
  `[2026-11-01T10:00:00Z] D${seq}: USER_DECISION | ${summary}\n- Context: ${"x".repeat(100)}`;
const logged = (seq: number, summary: string) => ({ seq, digest: digestOf(entry(seq, summary)) });

async function openDocument(count: number) {
  const dir = await tempDir();
  const place = { root: dir.path, sddDir: ".sdd" };
  const path = locateHandover(place).decisions;
  await mkdir(dirname(path), { recursive: true });
  const entries = Array.from({ length: count }, (_, index) => entry(index + 1, "as written"));
  await writeFile(path, `${entries.join("\n\n")}\n`);
  return { place, path, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe("withoutWritten", () => {
  it.each([1, 3000])("leaves out what a document of %i entries has, wherever it is", async (count) => {
    await using document = await openDocument(count);
    const [first, last] = [logged(1, "as written"), logged(count, "as written")];
    const [other, later] = [logged(count, "otherwise"), logged(count + 1, "as written")];
    expect(await withoutWritten(document.place, [first, last])).toEqual([]);
    expect(await withoutWritten(document.place, [first, other, last, later])).toEqual([other, later]);
  });

  it("leaves out nothing where there is no document", async () => {
    await using dir = await tempDir();
    const all = [logged(1, "as written")];
    expect(await withoutWritten({ root: dir.path, sddDir: ".sdd" }, all)).toEqual(all);
    expect(await withoutWritten(undefined, all)).toEqual(all);
  });
});

describe("holdsText", () => {
  it("finds a text in any part of a long document, also across the borders of what is read at once", async () => {
    await using document = await openDocument(1);
    for (const before of [0, 5, 262_140, 262_144, 300_000]) {
      await writeFile(document.path, `${"é".repeat(before / 2)}session abc${"y".repeat(before)}`);
      expect(await holdsText(document.place, "session abc")).toBe(true);
      expect(await holdsText(document.place, "session abd")).toBe(false);
    }
  });

  it("finds nothing where there is no document", async () => {
    await using dir = await tempDir();
    expect(await holdsText({ root: dir.path, sddDir: ".sdd" }, "a")).toBe(false);
  });
});
