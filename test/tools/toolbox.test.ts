import { writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/sessions/entry.ts";
import { openToolbox } from "../../src/tools/open-toolbox.ts";
import { anyCharacter } from "../support/any-character.ts";
import { cases } from "../support/cases.ts";
import { done, makeFiles, openTools, refused } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";

const names = ["read", "list", "search", "write", "edit", "bash"];

/** Any input, most often one with the fields that the tools have. */
const anyValue = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.integer({ min: -2, max: 9 }),
  fc.jsonValue(),
) as fc.Arbitrary<Json>;
const anyInput = fc.oneof(
  fc.jsonValue() as fc.Arbitrary<Json>,
  fc.dictionary(
    fc.constantFrom(
      "path",
      "from",
      "to",
      "pattern",
      "glob",
      "content",
      "old",
      "new",
      "all",
      "timeout",
      "__proto__",
    ),
    fc.oneof(anyValue, fc.constantFrom<Json>("a", ".", "a/b", true, 1)),
  ) as fc.Arbitrary<Json>,
);

describe("a toolbox", () => {
  it("has six tools, which say what they are for and what they take", async () => {
    await using dir = await tempDir();
    const { tools } = await openToolbox({ folder: dir.path, env: {} });
    expect(tools.map(({ name, effect }) => ({ name, effect }))).toEqual([
      { name: "read", effect: "reads" },
      { name: "list", effect: "reads" },
      { name: "search", effect: "reads" },
      { name: "write", effect: "writes" },
      { name: "edit", effect: "writes" },
      { name: "bash", effect: "runs" },
    ]);
    expect(tools.find(({ name }) => name === "read")?.input).toEqual({
      type: "object",
      properties: {
        path: {
          type: "string",
          description: "The file, relative to the work folder, such as src/main.ts.",
          minLength: 1,
        },
        from: { type: "integer", description: "The first line to read; 1 unless given.", minimum: 1 },
        to: { type: "integer", description: "The last line to read; the end unless given.", minimum: 1 },
      },
      required: ["path"],
      additionalProperties: false,
    });
  });

  it.each([
    { name: "read", input: { path: "src/a.ts" }, says: "read src/a.ts" },
    { name: "read", input: { path: "a", from: 3 }, says: "read a (from line 3)" },
    { name: "read", input: { path: "a", to: 9 }, says: "read a (lines 1 to 9)" },
    { name: "list", input: {}, says: "list ." },
    {
      name: "search",
      input: { pattern: "a b", path: "src", glob: "*.ts" },
      says: 'search "a b" in src (*.ts)',
    },
    { name: "write", input: { path: "a", content: "1\n2\n" }, says: "write a (2 lines)" },
    { name: "write", input: { path: "a\nb", content: "" }, says: "write a b (0 lines)" },
    {
      name: "edit",
      input: { path: "a", old: "1", new: "1\n2", all: true },
      says: "edit a (-1 +2 lines, everywhere)",
    },
    { name: "bash", input: { command: "echo \u001b[31m\u202ered" }, says: "bash echo ^[[31m<U+202E>red" },
    { name: "bash", input: { command: "x".repeat(500) }, says: `bash ${"x".repeat(114)}…` },
    { name: "bash", input: [1], says: "bash with input that it does not take" },
  ])("says what a call would do: $says", async ({ name, input, says }) => {
    await using dir = await tempDir();
    expect((await openTools(dir.path)).describe(name, input)).toBe(says);
  });

  const expected = 'Expected {"path": string, "from"?: integer, "to"?: integer}.';
  it.each<{ readonly input: Json; readonly says: string }>([
    { input: null, says: "The input is not an object" },
    { input: ["a"], says: "The input is not an object" },
    { input: {}, says: '"path" is missing' },
    { input: { path: 1 }, says: '"path" is not of type string' },
    { input: { path: null }, says: '"path" is missing' },
    { input: { path: "" }, says: '"path" must not be empty' },
    { input: { path: "a", from: "1" }, says: '"from" is not of type integer' },
    { input: { path: "a", from: 0 }, says: '"from" must be at least 1' },
    {
      input: { path: "a", from: 1.5, to: 1e300 },
      says: '"from" is not of type integer; "to" is not of type integer',
    },
    {
      input: { path: "a", file: "b", constructor: 1 },
      says: '"file" is not known; "constructor" is not known',
    },
    {
      input: Object.fromEntries(["path", ..."bcdefgh"].map((name) => [name, "a"])),
      says: '"b" is not known; "c" is not known; "d" is not known; "e" is not known; "f" is not known; and 2 more',
    },
  ])("says what is wrong with an input: $says", async ({ input, says }) => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    expect(await run("read", input)).toEqual(refused(`The input of read is not right: ${says}. ${expected}`));
  });

  it("says which tools there are to who asks for another one", async () => {
    await using dir = await tempDir();
    const { run, preview, describe: say } = await openTools(dir.path);
    const tools = "The tools are read, list, search, write, edit, bash.";
    expect(await run("raed", {})).toEqual(
      refused(`There is no tool "raed". Perhaps you mean read. ${tools}`),
    );
    expect(await run("__proto__", {})).toEqual(refused(`There is no tool "__proto__". ${tools}`));
    expect([await preview("raed", {}), say("raed", {})]).toEqual([undefined, undefined]);
  });

  it("answers any input, and describes it in one line", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "1\n2\n" });
    const { run, describe: say, preview } = await openTools(dir.path);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), anyInput, async (name, input) => {
        expect(say(name, input)).toMatch(/^\P{Control}{1,240}$/u);
        expect(await run(name, input)).toEqual({ output: expect.any(String), failed: expect.any(Boolean) });
        expect(["undefined", "string"]).toContain(typeof (await preview(name, input)));
      }),
      { numRuns: cases(500) },
    );
  });

  it("describes any command in one line, without running it", async () => {
    await using dir = await tempDir();
    const { describe: say } = await openTools(dir.path);
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (command) => {
        const text = say("bash", { command }) ?? "";
        expect(text).toMatch(/^\P{Control}{1,240}$/u);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });

  it("gives no half of a character, which others would not take", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "😀".repeat(3000) });
    const { run } = await openTools(dir.path, { limits: { outputCharacters: 1001 } });
    expect((await run("bash", { command: "cat a" })).output.isWellFormed()).toBe(true);
    expect((await run("read", { path: "a" })).output.isWellFormed()).toBe(true);
  });

  it("is not opened for what is no folder", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("file"), "");
    await expect(openToolbox({ folder: dir.join("file"), env: {} })).rejects.toMatchObject({
      ...{ code: "no-folder", kind: "usage" },
    });
    await expect(openToolbox({ folder: dir.join("gone"), env: {} })).rejects.toMatchObject({
      ...{ code: "file-missing", kind: "io" },
    });
  });

  it("works without any variables", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "x\n" });
    const { run } = await openTools(dir.path, { env: {} });
    expect(await run("search", { pattern: "x" })).toEqual(done("a:1: x\n"));
    expect(await run("list", {})).toEqual(done("a  2 B\n"));
    expect(await run("bash", { command: "cat a" })).toEqual(done("x\n"));
  });
});
