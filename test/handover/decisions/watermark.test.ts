import { appendFile, readFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDecisions } from "../../../src/handover/decisions/parse-decisions.ts";
import {
  compareEntries,
  digestOf,
  isIntact,
  type Watermark,
} from "../../../src/handover/decisions/watermark.ts";
import { git, makeRepo } from "../../support/git-repo.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";
import { nastyText } from "../nasty-text.ts";
import { decide, given, pathIn, start } from "./decide.ts";

/** Something that happens to the file: an append, or an editor that adds to its end. */
interface Event {
  readonly type: "decide" | "edit";
  readonly text: string;
}

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  nastyText.map((text) => ({ type: "decide" as const, text: `x ${text}` })),
  nastyText.map((text) => ({ type: "edit" as const, text: text.replaceAll("\0", "").toWellFormed() })),
);

/** Lets events happen, and sees that each of them only adds. */
async function play(dir: TempDir, events: readonly Event[], last: "known" | "unknown") {
  const watermarks: Watermark[] = [];
  const numbers: number[] = [];
  for (const { type, text } of events) {
    const before = await readFile(pathIn(dir));
    if (type === "edit") await appendFile(pathIn(dir), text);
    else {
      const known = last === "known" ? watermarks.at(-1) : undefined;
      const { decision, watermark } = await decide(dir, { ...start, summary: text }, known);
      watermarks.push(watermark);
      numbers.push(decision.seq);
    }
    const after = await readFile(pathIn(dir));
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
  }
  return { watermarks, numbers };
}

describe("any history of appends", () => {
  // Seed 0: 4.7
  it("only ever adds to the file, gives no number twice, and is proved by its watermarks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 8 }), fc.boolean(), async (events, isKnown) => {
        await using dir = await tempDir();
        await given(dir, "");
        const { watermarks, numbers } = await play(dir, events, isKnown ? "known" : "unknown");
        const content = await readFile(pathIn(dir));
        expect(new Set(numbers).size).toBe(numbers.length);
        expect(isIntact(content, watermarks)).toBe(true);
        const found = parseDecisions(content.toString()).decisions;
        expect(found.map(({ seq }) => seq)).toEqual(expect.arrayContaining(numbers));
      }),
      { numRuns: 40 },
    );
  });

  // Seed 0: 4.7
  it("shows every change of a byte that was there", async () => {
    await using dir = await tempDir();
    const watermarks: Watermark[] = [];
    for (let i = 0; i < 5; i += 1) watermarks.push((await decide(dir, start, watermarks.at(-1))).watermark);
    const content = new Uint8Array(await readFile(pathIn(dir)));
    fc.assert(
      fc.property(fc.nat(content.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = content.with(at, (content[at] ?? 0) ^ change);
        expect(isIntact(changed, watermarks)).toBe(false);
      }),
    );
    expect(isIntact(content.subarray(0, -1), watermarks)).toBe(false);
  });

  it("reads the whole file again when it does not fit what is known of it", async () => {
    await using dir = await tempDir();
    const { watermark } = await decide(dir);
    const text = await readFile(pathIn(dir), "utf8");
    await given(dir, `[x] D40: A | brought by a merge\n\n${text}`);
    const next = await decide(dir, start, watermark);
    expect([next.decision.seq, next.watermark.from]).toEqual([41, 0]);
  });
});

it("tells altered, missing and repeated entries apart", async () => {
  await using dir = await tempDir();
  const appended: { seq: number; digest: string }[] = [];
  for (let i = 0; i < 4; i += 1) {
    const { decision, digest } = await decide(dir, { ...start, summary: `session ${i}` });
    appended.push({ seq: decision.seq, digest });
  }
  const text = await readFile(pathIn(dir), "utf8");
  const nothing = { altered: [], missing: [], repeated: [], conflicts: [] };
  expect(compareEntries(parseDecisions(text), appended)).toEqual(nothing);
  expect(compareEntries(parseDecisions(text.replaceAll("\n", "\r\n")), appended)).toEqual(nothing);
  const [one = "", two = "", three = "", four = ""] = text.split("\n\n");
  const merged = [
    one,
    two.replace("it begins", "it ends"),
    four,
    "[x] D4: A | theirs",
    "[x] D9: A | more",
  ].join("\n\n");
  expect(three).toContain("D3");
  expect(compareEntries(parseDecisions(merged), appended)).toEqual({
    ...nothing,
    altered: [2],
    missing: [3],
    repeated: [4],
  });
});

it("keeps both sides of a real git merge apart", async () => {
  await using dir = await tempDir();
  await makeRepo(dir.path, []);
  const path = dir.join("decisions.md");
  const entry = (seq: number, summary: string) => `[x] D${seq}: USER_DECISION | ${summary}\n`;
  await writeFile(path, entry(1, "shared"));
  await git(dir.path, "add", ".");
  await git(dir.path, "commit", "-qm", "one");
  await git(dir.path, "checkout", "-qb", "theirs");
  await writeFile(path, `${entry(1, "shared")}\n${entry(2, "theirs")}`);
  await git(dir.path, "commit", "-qam", "theirs");
  await git(dir.path, "checkout", "-q", "main");
  await writeFile(path, `${entry(1, "shared")}\n${entry(2, "ours")}`);
  await git(dir.path, "commit", "-qam", "ours");
  await git(dir.path, "merge", "theirs").catch(() => undefined);
  const text = await readFile(path, "utf8");
  const ours = { seq: 2, digest: digestOf(entry(2, "ours").trimEnd()) };
  const changes = compareEntries(parseDecisions(text), [
    { seq: 1, digest: digestOf(entry(1, "shared").trimEnd()) },
    ours,
  ]);
  expect(changes).toEqual({ altered: [], missing: [], repeated: [2], conflicts: [3, 5, 7] });
  expect(parseDecisions(text).decisions.map(({ summary }) => summary)).toEqual(["shared", "ours", "theirs"]);
});
