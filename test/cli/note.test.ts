import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const origin = ["--spec", "login", "--role", "Builder", "--task", "2"];
const handover = "<folder>/work/.claude/sdd/handover";
const inWork = (carryon: Carryon, ...names: readonly string[]) => join(carryon.folder, "work", ...names);
const readBuffer = async (carryon: Carryon) =>
  (await readFile(inWork(carryon, ".claude", "sdd", "handover", "buffer.md"), "utf8")).replace(
    /(?<=Updated\*\*: )\S+\+00:00/,
    "<when>",
  );
const buffer = (notes: readonly string[], candidates: readonly string[] = []) =>
  ["# Handover Buffer", "**Updated**: <when>", "", "## Knowledge Buffer", ...notes.map((each) => `- ${each}`)]
    .concat(["", "## Skill Candidates", ...candidates.map((each) => `- ${each}`), ""])
    .join("\n");

describe("carryon note", () => {
  // Seed 0: 5.3, E.3
  it("takes notes, each once, and says when they make a candidate", async () => {
    await using carryon = await openCarryon();
    const first = ["note", "pattern", "retry twice", "--category", "api", ...origin];
    expect(await carryon.run(first)).toEqual({
      code: 0,
      stdout: "[PATTERN] api: retry twice (source: login Builder, task 2)\n",
      stderr: `Written to ${handover}/buffer.md\n`,
    });
    expect(await carryon.call(first)).toEqual({ code: 0, stdout: "", stderr: "Nothing new to note.\n" });
    const { code, stdout } = await carryon.call(["note", "PATTERN", "api: time out", ...origin, "--json"]);
    expect({ code, answer: JSON.parse(stdout) }).toEqual({
      code: 0,
      answer: {
        added: [{ tag: "PATTERN", text: "api: time out", source: "login Builder, task 2" }],
        candidates: [{ name: "api", specs: ["login"], occurrences: 2 }],
      },
    });
    expect(await readBuffer(carryon)).toBe(
      buffer(
        [
          "[PATTERN] api: retry twice (source: login Builder, task 2)",
          "[PATTERN] api: time out (source: login Builder, task 2)",
        ],
        ["**api**: Detected in login (2 occurrences)"],
      ),
    );
  });

  // Seed 0: 5.5, 7.4
  it("takes the tagged lines of a report, from a file or from its input", async () => {
    await using carryon = await openCarryon();
    const report =
      "Done.\n\n- [INCIDENT] the disk\n  was full\n- [REFERENCE] RFC 9110 (source: mail Inspector, task 1)\n";
    await writeFile(inWork(carryon, "report.md"), report);
    const own = "[REFERENCE] RFC 9110 (source: mail Inspector, task 1)";
    expect(await carryon.call(["note", "--from", "report.md", ...origin])).toEqual({
      code: 0,
      stdout: `[INCIDENT] the disk was full (source: login Builder, task 2)\n${own}\n`,
      stderr: `Written to ${handover}/buffer.md\n`,
    });
    const other = ["--spec", "mail", "--role", "Builder", "--task", "1"];
    const input = `${report}\n[PATTERN] x: y\n`;
    expect(await carryon.call(["note", "--from", "-", ...other], { input })).toEqual({
      code: 0,
      stdout: "[PATTERN] x: y (source: mail Builder, task 1)\n",
      stderr: `Written to ${handover}/buffer.md\n`,
    });
  });

  it.each([
    { args: ["the keys expire on Fridays"], noted: "[REFERENCE] the keys expire on Fridays (source: user)" },
    { args: ["Fridays"], noted: "[REFERENCE] Fridays (source: user)" },
    { args: ["incident", "the disk was full"], noted: "[INCIDENT] the disk was full (source: user)" },
    { args: ["retry twice", "--category", "api"], noted: "[REFERENCE] api: retry twice (source: user)" },
    {
      args: ["retry twice", ...origin],
      noted: "[REFERENCE] retry twice (source: login Builder, task 2)",
    },
    {
      args: ["[PATTERN] api: retry (source: login Builder, task 3)"],
      noted: "[PATTERN] api: retry (source: login Builder, task 3)",
    },
    {
      args: ["pattern", "api: retry (source: login Builder, task 4)", ...origin],
      noted: "[PATTERN] api: retry (source: login Builder, task 4)",
    },
    {
      args: ["incident", "[INCIDENT] retry", "--category", "api"],
      noted: "[INCIDENT] api: retry (source: user)",
    },
    { args: ["--from", "-"], input: "- [PATTERN] api: b\n", noted: "[PATTERN] api: b (source: user)" },
  ])(
    "takes a note without a tag or an origin where there are no specs: $args",
    async ({ args, ...given }) => {
      await using carryon = await openCarryon();
      const { input = "", noted } = given;
      expect(await carryon.call(["note", ...args], { input })).toEqual({
        ...{ code: 0, stdout: `${noted}\n`, stderr: `Written to ${handover}/buffer.md\n` },
      });
    },
  );

  it("refuses a report with a note that has no origin where there are specs, and takes none of it", async () => {
    await using carryon = await openCarryon();
    await mkdir(inWork(carryon, ".sdd/project/specs"), { recursive: true });
    const report = "- [PATTERN] api: a (source: mail Builder, task 1)\n\n- [PATTERN] api: b\n";
    expect(await carryon.call(["note", "--from", "-"], { input: report })).toEqual({
      ...{ code: 2, stdout: "" },
      stderr:
        "carryon: The note in line 3 of the report needs its origin.\n" +
        "  Write `(source: SPEC ROLE, task N)` at its end, or add `--spec`, `--role` and `--task`, which are for all notes without one.\n",
    });
    expect(await readdir(inWork(carryon, ".sdd"))).toEqual(["project"]);
    expect(await readdir(carryon.folder)).not.toContain("home");
  });

  // Seed 0: 7.5
  it("flushes notes into files of knowledge, and keeps candidates until they are dismissed", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["note", "flush"])).toEqual({
      ...{ code: 0, stdout: "" },
      stderr: "There are no notes to flush.\n",
    });
    expect(await readdir(inWork(carryon))).toEqual([]);
    for (const text of ["api: a", "api: b"]) await carryon.ask(["note", "pattern", text, ...origin]);
    const knowledge = "<folder>/work/.claude/sdd/project/knowledge";
    expect(await carryon.call(["note", "flush"])).toEqual({
      code: 0,
      stdout: `${knowledge}/pattern-api-a.md\n${knowledge}/pattern-api-b.md\n`,
      stderr: "2 notes moved into 2 files of knowledge.\n",
    });
    expect(await readBuffer(carryon)).toBe(buffer([], ["**api**: Detected in login (2 occurrences)"]));
    expect(await carryon.call(["note", "candidates"])).toEqual({
      ...{ code: 0, stdout: "api: 2 occurrences in login\n", stderr: "" },
    });
    expect(await carryon.call(["note", "candidates", "--dismiss", "API"])).toEqual({
      ...{ code: 0, stdout: "", stderr: "API is no candidate any more.\n" },
    });
    for (const text of ["api: c", "api: d"]) await carryon.ask(["note", "pattern", text, ...origin]);
    expect(await carryon.ask(["note", "candidates", "--json"])).toBe('{"candidates":[]}\n');
    expect(JSON.parse(await carryon.ask(["note", "flush", "--json"]))).toEqual({
      notes: ["c", "d"].map((each) => ({
        tag: "PATTERN",
        text: `api: ${each}`,
        source: "login Builder, task 2",
      })),
      files: ["c", "d"].map((each) =>
        inWork(carryon, ".claude", "sdd", "project", "knowledge", `pattern-api-${each}.md`),
      ),
    });
  });

  // Seed 0: 5.3
  it.each([
    { args: [], message: "There is nothing to note.", hint: "See `carryon note --help`." },
    {
      args: ["patern", "x", ...origin],
      message: '"patern" is neither a tag nor something to do with notes.',
      hint: "Did you mean PATTERN?",
    },
    { args: ["pattern", ...origin], message: "There is no text to note.", hint: "Write it after PATTERN." },
    {
      args: ["pattern", "[INCIDENT] x", ...origin],
      message: "The text has the tag INCIDENT, and PATTERN was given.",
      hint: "Leave out one of the two.",
    },
    {
      args: ["patern"],
      message: '"patern" is neither a tag nor something to do with notes.',
      hint: "Did you mean PATTERN?",
    },
    {
      args: ["pattern", "x", "--spec", "login", "--task", " "],
      message: "The origin of a note is a spec, a role and a task.",
      hint: "Add `--role` and `--task`.",
    },
    {
      args: ["pattern", "x", "--category", "two words", ...origin],
      message: '"two words" is no category.',
      hint: "Use one word, such as `api`.",
    },
    {
      args: ["pattern", "x", "--from", "-"],
      message: "The notes of a report are in the report.",
      hint: "Leave out what stands beside `--from`.",
    },
    { args: ["flush", "x"], message: "flush takes no note.", hint: "See `carryon note --help`." },
    {
      args: ["flush", "--dismiss", "x"],
      message: "Only candidates can be dismissed.",
      hint: "See `carryon note --help`.",
    },
    {
      args: ["candidates", "--dismiss", "api"],
      message: 'There is no skill candidate "api".',
      hint: "See `carryon note candidates`.",
    },
  ])("refuses $args, and makes nothing on disk", async ({ args, message, hint }) => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["note", ...args])).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: `carryon: ${message}\n  ${hint}\n`,
    });
    expect(await readdir(inWork(carryon))).toEqual([]);
    expect(await readdir(carryon.folder)).not.toContain("home");
  });

  it("refuses a note without its origin in a pipe, where there are specs", async () => {
    await using carryon = await openCarryon();
    await mkdir(inWork(carryon, ".sdd/project/specs"), { recursive: true });
    expect(await carryon.call(["note", "pattern", "x"])).toEqual({
      ...{ code: 2, stdout: "" },
      stderr:
        "carryon: In a project with specs a note needs its origin.\n  Add `--spec`, `--role` and `--task`.\n",
    });
  });

  it("refuses a report that cannot be read", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["note", "--from", "gone.md"])).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: "carryon: <folder>/work/gone.md cannot be read: it does not exist.\n",
    });
    expect(await carryon.call(["note", "--from", "-"], { input: "\0" })).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: "carryon: Standard input cannot be read: it is binary, or not UTF-8.\n",
    });
  });

  it("leaves a buffer as it is in which a merge is unfinished", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["note", "pattern", "api: a", ...origin]);
    const path = inWork(carryon, ".claude", "sdd", "handover", "buffer.md");
    const text = `${await readFile(path, "utf8")}<<<<<<< HEAD\n=======\n>>>>>>> them\n`;
    await writeFile(path, text);
    for (const args of [["pattern", "api: b", ...origin], ["flush"]])
      expect(await carryon.call(["note", ...args])).toMatchObject({ code: 4, stdout: "" });
    expect(await readFile(path, "utf8")).toBe(text);
  });

  // Seed 0: 5.7
  it("loses none of the notes that many processes take at once", async () => {
    await using carryon = await openCarryon();
    const texts = Array.from({ length: 6 }, (_, index) => `api: number ${index}`);
    const answers = await Promise.all(texts.map((text) => carryon.run(["note", "pattern", text, ...origin])));
    expect(answers.map(({ code }) => code)).toEqual(texts.map(() => 0));
    const noted = (await readBuffer(carryon)).match(/number \d/g) ?? [];
    expect(noted.sort()).toEqual(texts.map((_, index) => `number ${index}`));
    expect(await readBuffer(carryon)).toContain("**api**: Detected in login (6 occurrences)\n");
  });
});
