import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { findWrites, markTree } from "../../../src/gates/measure/find-writes.ts";
import { casesWithPrograms } from "../../support/cases.ts";
import { git, gitEnv } from "../../support/git-repo.ts";
import { makeGitShim } from "../../support/git-shim.ts";
import { repoIn, writeFiles } from "../../support/save-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { markOf, placeOf, shell, tellWrites, writesOf } from "../../support/tree-writes.ts";

afterEach(() => vi.useRealTimers());

const hour = 3_600_000_000_000n;

it("notes the commit and the stamps of what differs from it", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await writeFiles(root, { "new.txt": "new\n" });
  rmSync(join(root, "a.txt"));
  const mark = await markOf(placeOf(root));
  expect(mark.tree).toEqual({
    head: await git(root, "rev-parse", "HEAD"),
    files: new Map([
      ["a.txt", null],
      ["new.txt", expect.stringMatching(/^4 \d{19} \d{19} \d+$/)],
    ]),
    inner: new Map(),
  });
});

it("takes one git process to mark, three to compare, and one more where HEAD has moved", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  const shim = await makeGitShim(dir.join("shim"), { call: 0, moment: "before" });
  const place = { ...placeOf(root), env: { ...gitEnv, ...shim.env } };
  const mark = await markOf(place);
  await findWrites(place, mark);
  await shell(root, "git commit -q --allow-empty -m second");
  await findWrites(place, mark);
  const calls = await shim.readCalls();
  expect(calls.map((call) => /(?:^| )(status|diff-tree|ls-files) /.exec(call)?.[1])).toEqual([
    ...["status", "status", "ls-files", "ls-files", "status", "diff-tree", "ls-files", "ls-files"],
  ]);
});

it("lists the first of very many changed files, and finds writes to any by their times", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await writeFiles(root, { "1": "1", "2": "2", "3": "3" });
  const place = { ...placeOf(root), mostFiles: 2 };
  expect((await markOf(place)).tree.files.size).toBe(2);
  // Of a file that is not listed, one that was changed a moment before counts too.
  await setTimeout(100);
  expect(await writesOf(place, "true")).toEqual([]);
  expect(await writesOf(place, "echo x >> 1")).toEqual(["1"]);
  expect(await writesOf(place, "rm 2; echo x >> 3; echo x > 4")).toEqual(["2", "3", "4"]);
});

it.each([
  { case: "the clock was set back by an hour", at: hour, up: 0n, writes: ["a.txt"] },
  {
    case: "the machine was started again, and counts whatever may be",
    at: 0n,
    up: hour,
    writes: ["a.txt", "b"],
  },
])("tells of writes when $case", async ({ at, up, writes }) => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await shell(root, "echo x > b; git add -A; git commit -qm second; sleep 0.03");
  const place = placeOf(root);
  const mark = await markOf(place);
  await shell(root, "echo x >> a.txt; git reset -q --soft HEAD~1");
  // The moment of the mark, by the clocks as they were then.
  const then = { ...mark, at: mark.at + at, up: mark.up + up };
  expect(tellWrites(await findWrites(place, then))).toEqual(writes);
});

it("does not go by the clock of the process", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await shell(root, "sleep 0.03");
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2050-01-01") });
  const place = placeOf(root);
  const mark = await markOf(place);
  vi.setSystemTime(new Date("2001-01-01"));
  await shell(root, "echo x >> a.txt; git rm -q --cached src/b.txt");
  expect(tellWrites(await findWrites(place, mark))).toEqual(["a.txt"]);
});

it("tells a write right after the mark from one right before it, of the same size", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  const place = placeOf(root);
  for (let round = 0; round < 10; round += 1) {
    writeFileSync(join(root, "a.txt"), "1");
    const mark = await markOf(place);
    writeFileSync(join(root, "a.txt"), "2");
    expect(tellWrites(await findWrites(place, mark))).toEqual(["a.txt"]);
  }
});

it("tells exactly what was written, whatever is written", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  const place = placeOf(root);
  const names = ["a.txt", "src/b.txt", "n", "src/n", "x/y"];
  const step = fc.tuple(fc.constantFrom(...names), fc.constantFrom("write", "remove", "commit"));
  let count = 0;
  const take = async (path: string, what: string) => {
    count += 1;
    if (what === "write") await writeFiles(root, { [path]: `${count}\n` });
    else if (what === "remove") rmSync(join(root, path), { force: true });
    else await git(root, "commit", "-q", "--allow-empty", "-am", "x");
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
      await git(root, "add", "-A");
      const mark = await markOf(place);
      const before = new Map(names.map((path) => [path, readIf(join(root, path))]));
      for (const [path, what] of steps) await take(path, what);
      const written = names.filter((path) => readIf(join(root, path)) !== before.get(path));
      expect(new Set((await findWrites(place, mark)).paths)).toEqual(new Set(written));
    }),
    { numRuns: casesWithPrograms(100) },
  );
});

function readIf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

it("starts none of the programs that a repository names", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  const program = `touch ${dir.join("ran")};`;
  for (const key of ["core.fsmonitor", "diff.external", "core.pager"])
    await git(root, "config", key, program);
  await writeFiles(root, { ".git/hooks/post-index-change": `#!/bin/sh\n${program}\n` });
  chmodSync(join(root, ".git/hooks/post-index-change"), 0o755);
  const place = placeOf(root);
  const mark = await markOf(place);
  await writeFiles(root, { "a.txt": "x\n" });
  expect(tellWrites(await findWrites(place, mark))).toEqual(["a.txt"]);
  expect(existsSync(dir.join("ran"))).toBe(false);
});

it("says why it cannot mark or compare", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  const mark = await markOf(placeOf(root));
  const nowhere = { ...placeOf(dir.join("nowhere")), folder: dir.join("marks/marks") };
  const started = expect.stringMatching(/^Git could not be started: /);
  expect(await markTree(nowhere)).toEqual({ unknown: started });
  expect(await findWrites(nowhere, mark)).toEqual({ paths: [], unknown: started });
  const lost = { ...mark, tree: { ...mark.tree, head: "0".repeat(39).concat("1") } };
  expect(await findWrites(placeOf(root), lost)).toEqual({
    paths: [],
    unknown: expect.stringMatching(/^Git cannot compare the commits of then and now: /),
  });
  rmSync(join(root, ".git"), { recursive: true });
  expect(await markTree({ ...placeOf(root), folder: dir.join("marks/marks") })).toEqual({
    unknown: expect.stringMatching(/^Git cannot tell what has changed: /),
  });
});

it("refuses to make its folder through a link", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  symlinkSync(dir.path, join(root, ".git/requirements"));
  expect(await markTree(placeOf(root))).toEqual({
    unknown: expect.stringMatching(/\.git\/requirements is a symbolic link and is not written through\.$/),
  });
  expect(existsSync(dir.join("marks"))).toBe(false);
});
