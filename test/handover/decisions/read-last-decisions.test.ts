import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { readDecisionsSince, readLastDecisions } from "../../../src/handover/decisions/read-decisions.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { given, pathIn, place } from "./decide.ts";

const isStart = ({ type }: { readonly type: string }) => type === "SESSION_START";

describe("readLastDecisions", () => {
  // Seed 0: 6.4
  it("gives the last entries of a file of any length, in order", async () => {
    await using dir = await tempDir();
    const entries = Array.from(
      { length: 3000 },
      (_, index) =>
        `[x] D${index + 1}: USER_DECISION | 決定 ${index + 1}\n- Context: ${"あ".repeat(index % 50)}x\n`,
    );
    await given(dir, entries.join("\n"));
    for (const last of [0, 1, 20, 2999, 3000, 4000]) {
      const found = await readLastDecisions(place(dir), last);
      expect(found.map(({ seq, summary }) => `${seq} ${summary}`)).toEqual(
        entries.slice(last === 0 ? 3000 : -last).map((_, index, all) => {
          const seq = 3000 - all.length + index + 1;
          return `${seq} 決定 ${seq}`;
        }),
      );
    }
  });

  // Seed 0: 6.4
  it("reads no more of a long file than its end", async () => {
    await using dir = await tempDir();
    // What cannot be read at all stands before what is asked for.
    await given(dir, `\0${"- x\n".repeat(50_000)}[x] D9: USER_DECISION | the last\n`);
    expect(await readLastDecisions(place(dir), 1)).toMatchObject([{ seq: 9, summary: "the last" }]);
    await expect(readLastDecisions(place(dir), 2)).rejects.toMatchObject({ code: "document-unreadable" });
  });

  it("gives none where there is no file", async () => {
    await using dir = await tempDir();
    expect(await readLastDecisions(place(dir), 20)).toEqual([]);
  });

  it("refuses a symbolic link, also as a folder on the way", async () => {
    await using dir = await tempDir();
    await using outside = await tempDir();
    await given(outside, "[x] D1: USER_DECISION | of somebody else\n");
    await mkdir(dirname(pathIn(dir)), { recursive: true });
    await symlink(pathIn(outside), pathIn(dir));
    const refused = { code: "symlink-refused" };
    await expect(readLastDecisions(place(dir), 20)).rejects.toMatchObject(refused);
    await rm(dir.join(".claude/sdd"), { recursive: true });
    await symlink(outside.join(".claude/sdd"), dir.join(".claude/sdd"));
    await expect(readLastDecisions(place(dir), 20)).rejects.toMatchObject(refused);
  });

  it.each([
    { case: "binary content", content: Uint8Array.of(0x50, 0x4b, 0, 1) },
    { case: "text that is not UTF-8", content: Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a) },
  ])("refuses $case", async ({ content }) => {
    await using dir = await tempDir();
    await given(dir, content);
    await expect(readLastDecisions(place(dir), 20)).rejects.toMatchObject({ code: "document-unreadable" });
  });

  it("gives what stands before half a character that a lost power left at the end", async () => {
    await using dir = await tempDir();
    await given(dir, Buffer.from("[x] D1: USER_DECISION | あ").subarray(0, -1));
    expect(await readLastDecisions(place(dir), 20)).toMatchObject([{ seq: 1, summary: "" }]);
  });
});

describe("readDecisionsSince", () => {
  const total = 3000;
  const entries = (start: number) =>
    Array.from({ length: total }, (_, index) => {
      const type = index + 1 === start ? "SESSION_START" : "USER_DECISION";
      return `[x] D${index + 1}: ${type} | 決定 ${index + 1}\n- Context: ${"あ".repeat(index % 50)}x\n`;
    }).join("\n");
  const numbersOf = (found: readonly { readonly seq: number }[]) => found.map(({ seq }) => seq);
  const upTo = (first: number) => Array.from({ length: total - first + 1 }, (_, index) => first + index);

  it.each([1, 17, 1500, 2900, 2999, 3000])("has all that came after an entry, be it D%d", async (start) => {
    await using dir = await tempDir();
    await given(dir, entries(start));
    const found = numbersOf(await readDecisionsSince(place(dir), isStart));
    expect(found).toEqual(upTo(found[0] ?? 0));
    expect(found).toContain(start);
  });

  it("reads no more than the end where that is enough", async () => {
    await using dir = await tempDir();
    await given(dir, entries(2990));
    expect((await readDecisionsSince(place(dir), isStart)).length).toBeLessThan(total / 10);
  });

  it("has all where there is no such entry, and none where there is no file", async () => {
    await using dir = await tempDir();
    expect(await readDecisionsSince(place(dir), isStart)).toEqual([]);
    await given(dir, entries(0));
    expect(numbersOf(await readDecisionsSince(place(dir), isStart))).toEqual(upTo(1));
  });
});
