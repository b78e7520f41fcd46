import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRequirements } from "../../../src/gates/config/parse-requirements.ts";
import { cases } from "../../support/cases.ts";
import { readTexts } from "../../support/gate-texts.ts";

const gateNames = (text: string) => readTexts({ project: text }).config.gates.map(({ name }) => name);
const scopesOf = (text: string) =>
  readTexts({ project: text }).config.gates.map(({ name, scope }) => [name, scope]);

describe("a file that cannot be read", () => {
  it.each([
    {
      what: "broken YAML",
      text: "a:\n  - b\n c: [\n",
      line: 3,
      problem: /^It is not YAML, in column 1: .+\. All gates are off\.$/,
    },
    { what: "a list", text: "\n- a\n", line: 1, problem: "It is no map of settings. All gates are off." },
    { what: "a text", text: "hello", line: 1, problem: "It is no map of settings. All gates are off." },
    {
      what: "two documents",
      text: "enabled: true\n---\nenabled: false\n",
      line: 2,
      problem: "It is not YAML, in column 1: a second document begins. All gates are off.",
      hint: "Remove the line `---`, and put everything into one document.",
    },
    {
      what: "tabs",
      text: "requirements:\n  a:\n\t\tenabled: true\n",
      line: 3,
      problem: "It is not YAML, in column 1: a tab indents the line. All gates are off.",
      hint: "Indent with spaces instead of tabs.",
    },
    {
      what: "an anchor that is not there",
      text: "a: *b\n",
      line: 1,
      problem: "It names an anchor b that is not there. All gates are off.",
    },
    {
      what: "a NUL",
      text: "enabled: true\nhooks: \0\n",
      line: 2,
      problem: "It is not text in UTF-8. All gates are off.",
    },
    { what: "a tab that indents", text: "a:\n\tb: 1\n", line: 2, problem: /^It is not YAML/ },
    {
      what: "a newer version",
      text: 'requirements: {a: {enabled: true}}\nversion: "1.1"\n',
      line: 2,
      problem: "Version 1.1 is newer than what this Carryon knows. All gates are off.",
    },
    { what: "a newer version as a number", text: "version: 2", line: 1, problem: /^Version 2 is newer/ },
    {
      what: "more than 256 KB",
      text: `# ${"x".repeat(262_144)}`,
      line: 1,
      problem: "It is larger than 256 KB and is not read. All gates are off.",
    },
    {
      what: "an anchor inside of itself",
      text: "requirements: &r\n  a: *r\n",
      line: 2,
      problem: "It is nested more deeply than a configuration can be. All gates are off.",
    },
    { what: "brackets without end", text: "[".repeat(20_000), line: 1, problem: /^It is nested more deeply/ },
    {
      what: "maps without end",
      text: "{".repeat(9000) + "}".repeat(9000),
      line: 1,
      problem: /^It is nested more deeply/,
    },
    {
      what: "anchors that multiply",
      text: `a: &a [${"x,".repeat(9)}]\n${Array.from({ length: 12 }, (_, step) => `b${step}: &b${step} [${`*${step === 0 ? "a" : `b${step - 1}`},`.repeat(9)}]\n`).join("")}`,
      line: 1,
      problem: "It holds more values than a configuration can have. All gates are off.",
    },
  ])("turns the gates off and says so: $what", ({ text, line, problem, hint }) => {
    const { config, problems } = readTexts({ user: "requirements: {b: {enabled: true}}", project: text });
    expect({ enabled: config.enabled, gates: config.gates }).toEqual({ enabled: false, gates: [] });
    expect(problems).toEqual([
      {
        file: "project",
        line,
        problem: typeof problem === "string" ? problem : expect.stringMatching(problem),
        hint: hint ?? expect.stringMatching(/^[A-Z].*\.$/),
      },
    ]);
  });

  it("never throws, whatever it holds", () => {
    const piece = fc.constantFrom(
      ..."requirements:|enabled: |a|: |- |\n|  |    |[|]|{|}|&a |*a|<<: *a|!!x |'|\"|#|? |\0|\t|\r|yes|1|version: |hooks:|trigger_tools: |\\u0000".split(
        "|",
      ),
      "|",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { problems, config } = readTexts({ project: pieces.join("") });
        expect(config.enabled || problems.length > 0 || pieces.includes("enabled: ")).toBe(true);
        for (const { file, line, problem, hint } of problems) {
          expect([file, Number.isInteger(line) && line > 0]).toEqual(["project", true]);
          expect(`${problem} ${hint}`).toMatch(/^[A-Z`<].*\.( |$).*[.?]$/s);
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

describe("a file", () => {
  it.each([
    { what: "a comment", text: "# nothing yet\n" },
    { what: "an empty document", text: "---\n...\n" },
    { what: "null", text: "~" },
    { what: "keys without values", text: "version:\nenabled:\ninherit:\nrequirements:\nhooks:\n" },
  ])("may say nothing: $what", ({ text }) => {
    expect(readTexts({ project: text })).toEqual({ ...readTexts({}), problems: [], notes: [] });
  });

  it("without anything in it says nothing, which is told", () => {
    const told = {
      file: "project",
      line: 1,
      problem: "It is empty.",
      hint: "Begin with `requirements:`, or remove it.",
    };
    for (const text of ["", " \n\n"])
      expect(readTexts({ project: text })).toEqual({ ...readTexts({}), problems: [told], notes: [] });
  });

  it.each(['"1.0"', "1.0", "1", '"1"'])("may name its version as a text or a number: %s", (version) => {
    expect(parseRequirements(`version: ${version}\n`, "f")).toMatchObject({ isReadable: true, problems: [] });
  });

  it.each(["0.9", "one", "[1]", "true"])(
    "is read as version 1.0 where its version makes no sense: %s",
    (version) => {
      const { config, problems } = readTexts({ project: `version: ${version}\nrequirements: {a: {}}\n` });
      expect(config.gates).toHaveLength(1);
      expect(problems).toMatchObject([
        { line: 1, problem: expect.stringMatching(/^There is no version .+1\.0\.$/) },
      ]);
    },
  );

  it("may begin with a byte order mark and end its lines as on Windows", () => {
    const text =
      "\uFEFFversion: '1.0'\r\nrequirements:\r\n  a:\r\n    enabled: true\r\n    message: |\r\n      x\r\n      y\r\n";
    const { config, problems } = readTexts({ project: text });
    expect(problems).toEqual([]);
    expect(config.gates).toMatchObject([{ name: "a", enabled: true, message: "x\ny\n" }]);
  });

  it("may use anchors, aliases and merged keys", () => {
    const text = [
      "requirements:",
      "  a: &base",
      "    enabled: true",
      "    scope: branch",
      "  b: *base",
      "  c:",
      "    <<: *base",
      "    scope: permanent",
      "  d:",
      "    <<: [{scope: single_use}, *base]",
      "  e:",
      '    "<<": 1',
    ].join("\n");
    expect(scopesOf(text)).toEqual([
      ["a", "branch"],
      ["b", "branch"],
      ["c", "permanent"],
      ["d", "single_use"],
      ["e", "session"],
    ]);
    expect(readTexts({ project: text }).problems).toMatchObject([
      { line: 12, problem: expect.stringContaining("no setting << in the requirement e") },
    ]);
  });

  it("may keep what has an anchor under a key of its own", () => {
    const text =
      "x-base: &base {scope: branch}\n.other: &other {scope: permanent}\nrequirements: {a: *base, b: *other}\n";
    expect(scopesOf(text)).toEqual([
      ["a", "branch"],
      ["b", "permanent"],
    ]);
    expect(readTexts({ project: text }).problems).toEqual([]);
  });

  it("keeps the text of what YAML takes for a date", () => {
    const { config } = readTexts({
      project: "%YAML 1.1\n---\nrequirements: {a: {message: 2020-01-01, enabled: y}}\n",
    });
    expect(config.gates).toMatchObject([{ message: "2020-01-01", enabled: true }]);
  });

  it("says that what is merged is no map", () => {
    const { problems } = readTexts({ project: "requirements:\n  a:\n    <<: 5\n" });
    expect(problems).toMatchObject([{ line: 3, problem: "What stands after << is no map and is left out." }]);
  });

  it("takes the last anchor of a name, as YAML says", () => {
    const text = "x: &x {scope: branch}\ny: &x {scope: permanent}\nrequirements: {a: *x}\n";
    expect(scopesOf(text)).toEqual([["a", "permanent"]]);
  });

  it("takes the last of two keys of the same name, and says so", () => {
    const { config, problems } = readTexts({
      project: "requirements:\n  a:\n    scope: branch\n    scope: permanent\n",
    });
    expect(config.gates).toMatchObject([{ scope: "permanent" }]);
    expect(problems).toEqual([
      {
        file: "project",
        line: 4,
        problem: "The key scope stands here for a second time, in column 5.",
        hint: "The last one counts: remove the others.",
      },
    ]);
  });

  it("is read without the tags that it has", () => {
    const { config, problems } = readTexts({ project: "requirements:\n  a: !secret {enabled: true}\n" });
    expect(config.gates).toMatchObject([{ name: "a", enabled: true }]);
    expect(problems).toMatchObject([
      { line: 2, problem: "A tag that begins with ! is not known and is left out." },
    ]);
  });

  it("says which keys are no texts, and takes numbers for names", () => {
    const { problems } = readTexts({ project: "requirements:\n  ? [x]\n  : {}\n  1.10: {}\n  true: {}\n" });
    expect(gateNames("requirements:\n  1.10: {}\n  true: {}\n  on: {}\n")).toEqual(["1.10", "true", "on"]);
    expect(problems).toMatchObject([{ line: 2, problem: "A key is no text and is left out." }]);
  });

  it.each(["yes", "Yes", "on", "ON", "true", "True"])("says yes as YAML 1.1 does: %s", (word) => {
    expect(readTexts({ project: `requirements: {a: {enabled: ${word}, checklist: [yes]}}` })).toMatchObject({
      config: { gates: [{ enabled: true, checklist: ["yes"] }] },
      problems: [],
    });
  });

  it.each(["no", "off", "false", "NO"])("says no as YAML 1.1 does: %s", (word) => {
    expect(readTexts({ project: `enabled: ${word}` })).toMatchObject({
      config: { enabled: false },
      problems: [],
    });
  });
});
