import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { keepMark, locateMarks, takeMark } from "../../../src/gates/measure/grounds.ts";
import {
  type MarkedTree,
  parseTreeMark,
  renderTreeMark,
  type TreeMark,
} from "../../../src/gates/measure/tree-mark.ts";
import type { GitPath } from "../../../src/git/git-path.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const path = fc.string({ unit: anyCharacter }).map((text) => Buffer.from(text).toString("latin1") as GitPath);
const hash = fc.constantFrom("a".repeat(40), "b".repeat(64));
const files = fc.array(fc.tuple(path, fc.option(fc.string()))).map((entries) => new Map(entries));
const { tree } = fc.letrec<{ tree: MarkedTree; inner: ReadonlyMap<GitPath, MarkedTree> }>((tie) => ({
  tree: fc.record({ head: fc.option(hash), files, inner: tie("inner") }),
  inner: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    fc.constant(new Map()),
    fc.array(fc.tuple(path, tie("tree")), { maxLength: 2 }).map((entries) => new Map(entries)),
  ),
}));
const time = fc.bigInt({ min: 0n, max: 10n ** 20n });
const ground = fc.record({
  kind: fc.constantFrom("file" as const, "linked" as const, "folder" as const),
  path: fc.string(),
  was: fc.option(fc.string()),
});
const anyMark: fc.Arbitrary<TreeMark> = fc.record({ at: time, up: time, tree, grounds: fc.array(ground) });

const plain: TreeMark = {
  ...{ at: 1n, up: 2n },
  tree: { head: null, files: new Map(), inner: new Map() },
  grounds: [],
};

const marksIn = (dir: TempDir) => locateMarks(dir.join(".git"));

it("reads what it has written", () => {
  fc.assert(
    fc.property(anyMark, (mark) => {
      expect(parseTreeMark(renderTreeMark(mark))).toEqual(mark);
    }),
  );
});

it.each([
  "",
  "null",
  "[]",
  "{",
  '{"version":2}',
  '{"version":1,"at":"1","up":"2"}',
  '{"version":1,"at":1,"up":"2","tree":{"head":null,"dirty":[],"inner":[]}}',
  '{"version":1,"at":"-1","up":"2","tree":{"head":null,"dirty":[],"inner":[]}}',
  '{"version":1,"at":"1","up":"2","tree":{"head":"main","dirty":[],"inner":[]}}',
  '{"version":1,"at":"1","up":"2","tree":{"head":null,"dirty":[[1,"x"]],"inner":[]}}',
  '{"version":1,"at":"1","up":"2","tree":{"head":null,"dirty":[["a",1]],"inner":[]}}',
  '{"version":1,"at":"1","up":"2","tree":{"head":null,"dirty":["a"],"inner":[]}}',
  '{"version":1,"at":"1","up":"2","tree":{"head":null,"count":1.5,"hash":"x","inner":[]}}',
  '{"version":1,"at":"1","up":"2","tree":{"head":null,"dirty":[],"inner":[["a",{}]]}}',
  `{"version":1,"at":"1","up":"2","tree":{"head":null,"dirty":${"[".repeat(50)}${"]".repeat(50)},"inner":[]}}`,
  renderTreeMark({ ...plain, tree: { ...plain.tree, files: tooMany() } }),
])("takes for no mark what is none: %.80s", (text) => {
  expect(parseTreeMark(text)).toBeUndefined();
});

function tooMany(): ReadonlyMap<GitPath, null> {
  return new Map(Array.from({ length: 20_001 }, (_, number) => [String(number) as GitPath, null]));
}

it("never fails on rubbish", () => {
  fc.assert(
    fc.property(anyMark, fc.nat(), fc.string(), (mark, at, rubbish) => {
      const text = renderTreeMark(mark);
      const index = at % text.length;
      expect(() => parseTreeMark(`${text.slice(0, index)}${rubbish}${text.slice(index + 1)}`)).not.toThrow();
    }),
  );
});

it("gives each mark once, to the call that it was kept for", async () => {
  await using dir = await tempDir();
  const marks = marksIn(dir);
  const other = { ...plain, at: 5n };
  expect(await keepMark(marks, "toolu_1", plain)).toBeUndefined();
  expect(await keepMark(marks, "../../../toolu/\0$(id)".repeat(99), other)).toBeUndefined();
  expect(takeMark(marks, "toolu_2")).toBeUndefined();
  expect(takeMark(marks, "toolu_1")).toEqual(plain);
  expect(takeMark(marks, "toolu_1")).toBeUndefined();
  expect(takeMark(marks, "../../../toolu/\0$(id)".repeat(99))).toEqual(other);
  expect([readdirSync(marks), readdirSync(dir.path)]).toEqual([[], [".git"]]);
});

it("lets only its user read a mark", async () => {
  await using dir = await tempDir();
  const marks = marksIn(dir);
  await keepMark(marks, "one", plain);
  const [name = ""] = readdirSync(marks);
  expect([marks, `${marks}/${name}`].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
});

it("takes a broken mark away, and has none", async () => {
  await using dir = await tempDir();
  const marks = marksIn(dir);
  await keepMark(marks, "one", plain);
  const [name = ""] = readdirSync(marks);
  writeFileSync(`${marks}/${name}`, "{");
  expect([takeMark(marks, "one"), readdirSync(marks)]).toEqual([undefined, []]);
});

it("removes the marks of yesterday, and nothing else", async () => {
  await using dir = await tempDir();
  const marks = marksIn(dir);
  for (const call of ["older", "newer"]) await keepMark(marks, call, plain);
  writeFileSync(`${marks}/notes.txt`, "mine");
  const hoursAgo = (name: string, hours: number) => {
    const at = Date.now() / 1000 - hours * 3600;
    utimesSync(`${marks}/${name}`, at, at);
  };
  for (const name of readdirSync(marks)) hoursAgo(name, 23);
  await keepMark(marks, "now", plain);
  expect(readdirSync(marks)).toHaveLength(4);
  for (const name of readdirSync(marks)) hoursAgo(name, 25);
  await keepMark(marks, "later", plain);
  expect(["older", "newer", "now"].map((call) => takeMark(marks, call))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(takeMark(marks, "later")).toEqual(plain);
  expect(readdirSync(marks)).toEqual(["notes.txt"]);
});

it("says why it could not keep a mark", async () => {
  await using dir = await tempDir();
  writeFileSync(dir.join(".git"), "");
  expect(await keepMark(marksIn(dir), "one", plain)).toEqual(expect.stringContaining("ENOTDIR"));
});

it("neither keeps nor sweeps through a link", async () => {
  await using dir = await tempDir();
  mkdirSync(dir.join(".git"));
  mkdirSync(dir.join("victim/marks"), { recursive: true });
  const file = dir.join("victim/marks", `${"0".repeat(32)}.json`);
  writeFileSync(file, "mine");
  utimesSync(file, 0, 0);
  symlinkSync("../victim", dir.join(".git/requirements"));
  expect(await keepMark(marksIn(dir), "one", plain)).toMatch(
    /is a symbolic link and is not written through\.$/,
  );
  expect([readdirSync(dir.join("victim/marks")), readFileSync(file, "utf8")]).toEqual([
    [`${"0".repeat(32)}.json`],
    "mine",
  ]);
});
