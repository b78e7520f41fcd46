import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lines, measure, workIn } from "../../support/branch-measure.ts";
import { casesWithPrograms } from "../../support/cases.ts";
import { git, gitEnv } from "../../support/git-repo.ts";
import { makeGitShim } from "../../support/git-shim.ts";
import { writeFiles } from "../../support/save-repo.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 16, 12, 0, 0) + seconds * 1000);

/** Makes a repository whose figure of 3 lines was kept at second 0 for 60 of them, and has changed since. */
async function keptIn(dir: TempDir): Promise<string> {
  const root = await workIn(dir.join("repo"));
  await writeFiles(root, { "new.txt": lines(3) });
  expect(await measure(root, { now: at(0), cacheTtl: 60 })).toMatchObject({ lines: 3 });
  await writeFiles(root, { "new.txt": lines(9) });
  return root;
}

const keptFile = (dir: TempDir) => dir.join("cache", readdirSync(dir.join("cache"))[0] ?? "");

it.each([
  { case: "the same moment", second: 0, ttl: 60, lines: 3 },
  { case: "the last moment that counts", second: 59.999, ttl: 60, lines: 3 },
  { case: "the first moment that does not", second: 60, ttl: 60, lines: 9 },
  { case: "a clock that was set back", second: -1, ttl: 60, lines: 9 },
  { case: "a shorter time", second: 10, ttl: 5, lines: 9 },
  { case: "no time at all", second: 0, ttl: 0, lines: 9 },
])("counts $lines lines at $case", async ({ second, ttl, lines: count }) => {
  await using dir = await tempDir();
  const root = await keptIn(dir);
  expect(await measure(root, { now: at(second), cacheTtl: ttl })).toMatchObject({ lines: count });
});

it("asks git for nothing while a figure counts, wherever refs are", async () => {
  await using dir = await tempDir();
  const root = await keptIn(dir);
  const shim = await makeGitShim(dir.join("shim"), { call: 0, moment: "before" });
  const again = () => measure(root, { now: at(1), cacheTtl: 60, env: { ...gitEnv, ...shim.env } });
  const base = await git(root, "rev-parse", "main");
  expect(await again()).toEqual({ lines: 3, added: 3, removed: 0, base });
  await git(root, "pack-refs", "--all");
  expect(await again()).toEqual({ lines: 3, added: 3, removed: 0, base });
  expect(await shim.readCalls()).toEqual([]);
});

it("measures anew when HEAD has moved", async () => {
  await using dir = await tempDir();
  const root = await keptIn(dir);
  await git(root, "commit", "--quiet", "--allow-empty", "-m", "second");
  expect(await measure(root, { now: at(1), cacheTtl: 60 })).toMatchObject({ lines: 9 });
});

it("keeps a figure for each branch and each repository", async () => {
  await using dir = await tempDir();
  const root = await keptIn(dir);
  await git(root, "switch", "-qc", "other");
  expect(await measure(root, { branch: "other", now: at(1), cacheTtl: 60 })).toMatchObject({ lines: 9 });
  await git(root, "worktree", "add", "--quiet", "-f", "../tree", "work");
  const tree = await measure(dir.join("tree"), { now: at(1), cacheTtl: 60 });
  expect(tree).toMatchObject({ lines: 0 });
  expect(readdirSync(dir.join("cache"))).toHaveLength(3);
  await git(root, "switch", "-q", "--ignore-other-worktrees", "work");
  expect(await measure(root, { now: at(1), cacheTtl: 60 })).toMatchObject({ lines: 3 });
});

it("lets only its user read what it keeps", async () => {
  await using dir = await tempDir();
  await keptIn(dir);
  const modes = [dir.join("cache"), keptFile(dir)].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
});

it.each([
  { case: "is empty", change: () => "" },
  { case: "is cut short", change: (text: string) => text.slice(0, -20) },
  { case: "is no object", change: () => "[3]" },
  { case: "says nothing", change: () => "null" },
  { case: "is of another version", change: (text: string) => text.replace('"version":1', '"version":2') },
  { case: "is another branch's", change: (text: string) => text.replace('"work"', '"other"') },
  { case: "is another repository's", change: (text: string) => text.replace('/repo"', '/other"') },
  { case: "has no time", change: (text: string) => text.replace("2026-11-16", "some day") },
  { case: "has a figure below nothing", change: (text: string) => text.replace('"added":3', '"added":-3') },
  { case: "has a figure that is none", change: (text: string) => text.replace('"added":3', '"added":"3"') },
  { case: "has no commit", change: (text: string) => text.replace(/"base":"[0-9a-f]+"/, '"base":"main"') },
  { case: "is a megabyte", change: (text: string) => `${text}${" ".repeat(1 << 20)}` },
])("measures anew when what it has kept $case", async ({ change }) => {
  await using dir = await tempDir();
  const root = await keptIn(dir);
  const path = keptFile(dir);
  writeFileSync(path, change(readFileSync(path, "utf8")));
  expect(await measure(root, { now: at(1), cacheTtl: 60 })).toMatchObject({ lines: 9 });
});

it("never takes rubbish for a figure", async () => {
  await using dir = await tempDir();
  const root = await keptIn(dir);
  const path = keptFile(dir);
  const text = readFileSync(path, "utf8");
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.nat(255), async (index, byte) => {
      const bytes = Buffer.from(text);
      bytes[index] = byte;
      writeFileSync(path, bytes);
      const found = await measure(root, { now: at(1), cacheTtl: 60 });
      expect(found).not.toHaveProperty("unknown");
      expect("lines" in found && Number.isSafeInteger(found.lines) && found.lines >= 0).toBe(true);
    }),
    { numRuns: casesWithPrograms(100) },
  );
});

it("says that it could not keep a figure, and has it all the same", async () => {
  await using dir = await tempDir();
  const root = await workIn(dir.join("repo"));
  writeFileSync(dir.join("cache"), "in the way");
  expect(await measure(root, { now: at(0), cacheTtl: 60 })).toMatchObject({
    lines: 0,
    problem: expect.stringContaining(dir.join("cache")),
  });
});

it("neither reads nor writes through a link in place of a figure", async () => {
  await using dir = await tempDir();
  const root = await keptIn(dir);
  const [path, victim] = [keptFile(dir), dir.join("victim")];
  mkdirSync(victim);
  writeFileSync(join(victim, "it"), readFileSync(path));

  rmSync(path);
  symlinkSync(join(victim, "it"), path);
  const before = readFileSync(join(victim, "it"), "utf8");
  expect(await measure(root, { now: at(1), cacheTtl: 60 })).toMatchObject({
    lines: 9,
    problem: expect.any(String),
  });
  expect(readFileSync(join(victim, "it"), "utf8")).toBe(before);
});
