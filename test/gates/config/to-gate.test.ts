import { describe, expect, it } from "vitest";
import { readTexts } from "../../support/gate-texts.ts";

const readOne = (lines: string) =>
  readTexts({ project: `requirements:\n  a:\n${lines.replaceAll(/^/gm, "    ")}\n` });
const gateOf = (lines: string) => readOne(lines).config.gates[0];
const problemsOf = (text: string) =>
  readTexts({ project: text }).problems.map(({ line, problem, hint }) => [line, problem, hint]);

describe("a requirement", () => {
  it("is off, blocking and for a session unless told, and guards edits", () => {
    expect(readTexts({ project: "requirements:\n  a:\n  b: {}\n" }).config.gates).toEqual(
      ["a", "b"].map((name) => ({
        name,
        type: "blocking",
        enabled: false,
        scope: "session",
        triggers: ["Edit", "Write", "MultiEdit", "NotebookEdit"].map((tool) => ({ tool })),
        checklist: [],
        skills: [],
        stopOnly: false,
      })),
    );
  });

  it("has all that it is given", () => {
    const lines = [
      "enabled: true",
      "scope: permanent",
      "trigger_tools: [Write, {tool: Bash}, {tool: Bash, command_pattern: 'npm\\s+publish'}]",
      "message: one",
      "short_message: two",
      "description: three",
      "checklist: [four, five]",
      "satisfied_by_skill: [six, 'ns:seven']",
      "auto_resolve_skill: /eight",
      "stop_only: true",
      "shell_writes: ignore",
    ].join("\n");
    expect(readOne(lines)).toMatchObject({ problems: [], notes: [] });
    expect(gateOf(lines)).toEqual({
      name: "a",
      type: "blocking",
      enabled: true,
      scope: "permanent",
      triggers: [{ tool: "Write" }, { tool: "Bash" }, { tool: "Bash", pattern: "npm\\s+publish" }],
      message: "one",
      shortMessage: "two",
      description: "three",
      checklist: ["four", "five"],
      skills: ["/eight", "six", "ns:seven"],
      remedySkill: "/eight",
      stopOnly: true,
      shellWrites: "ignore",
    });
  });

  it.each([
    { lines: "trigger_tools: Bash", gate: { triggers: [{ tool: "Bash" }] } },
    { lines: "trigger_tools: {tool: Bash}", gate: { triggers: [{ tool: "Bash" }] } },
    { lines: "checklist: one", gate: { checklist: ["one"] } },
    { lines: "satisfied_by_skill: x", gate: { skills: ["x"], remedySkill: "x" } },
    { lines: "blocking_message: x", gate: { message: "x" } },
    { lines: "message: x\nblocking_message: y", gate: { message: "x" } },
    {
      lines: "type: guard",
      gate: { type: "guard", guard: "protected_branch", branches: ["master", "main"] },
    },
    { lines: "type: guard\nprotected_branches: prod", gate: { branches: ["prod"] } },
    { lines: "type: guard\nguard_type: single_session", gate: { type: "guard", guard: "single_session" } },
    {
      lines: "type: dynamic\nthresholds: {block: 5}",
      gate: {
        type: "dynamic",
        calculator: "branch_size",
        thresholds: { block: 5 },
        approvalTtl: 300,
        cacheTtl: 60,
      },
    },
    {
      lines: "type: dynamic\nthreshold: 5\nthresholds: {warn: 0}",
      gate: { thresholds: { warn: 0, block: 5 } },
    },
    { lines: "type: dynamic\nthresholds: {warn: 5, block: 5}", gate: { thresholds: { warn: 5, block: 5 } } },
    {
      lines: "type: dynamic\nthreshold: 5\napproval_ttl: 30s\ncache_ttl: 0",
      gate: { approvalTtl: 30, cacheTtl: 0 },
    },
    {
      lines: "type: dynamic\nthreshold: 5\napproval_ttl: 1h\ncache_ttl: '90'",
      gate: { approvalTtl: 3600, cacheTtl: 90 },
    },
    {
      lines: "type: dynamic\nthreshold: 5\napproval_ttl: 7d\ncache_ttl: 1.5",
      gate: { approvalTtl: 604_800, cacheTtl: 1.5 },
    },
  ])("may be written shortly: $lines", ({ lines, gate }) => {
    expect(readOne(lines).problems).toEqual([]);
    expect(gateOf(lines)).toMatchObject(gate);
  });

  it.each([
    {
      lines: "enabled: 'true'",
      why: "enabled must be true or false, not the text true",
      hint: "Write true or false, without quotes.",
    },
    { lines: "enabled: 'yes'", why: "enabled must be true or false, not the text yes" },
    { lines: "enabled: 1", why: "enabled must be true or false, not the number 1" },
    { lines: "stop_only: [true]", why: "stop_only must be true or false, not a list" },
    { lines: "type: blockng", why: "type cannot be the text blockng", hint: "Did you mean blocking?" },
    { lines: "type: {}", why: "type cannot be a map", hint: "Write one of: blocking, dynamic, guard." },
    {
      lines: "scope: singleuse",
      why: "scope cannot be the text singleuse",
      hint: "Did you mean single_use?",
    },
    { lines: "scope: 3", why: "scope cannot be the number 3" },
    { lines: "message: 5", why: "message must be a text, not the number 5", hint: "Put it in quotes." },
    {
      lines: "message: [x]",
      why: "message must be a text, not a list",
      hint: "Write one text instead of a list.",
    },
    {
      lines: "checklist: [Tests: pass]",
      why: "each item of checklist must be a text, not a map",
      hint: "Put it in quotes.",
    },
    { lines: "satisfied_by_skill: ' '", why: "satisfied_by_skill must not be empty" },
    { lines: "auto_resolve_skill: [x]", why: "auto_resolve_skill must be a text, not a list" },
    { lines: "trigger_tools: [5]", why: "each of trigger_tools must be a text, not the number 5" },
    { lines: "trigger_tools: [{command_pattern: x}]", why: "a trigger names no tool" },
    { lines: "shell_writes: never", why: "shell_writes cannot be the text never" },
    { lines: "type: guard\nguard_type: x", why: "guard_type cannot be the text x", line: 4 },
    {
      lines: "type: guard\nprotected_branches: [1]",
      why: "each item of protected_branches must be a text, not the number 1",
      line: 4,
    },
    { lines: "type: dynamic", why: "it has no thresholds", line: 2 },
    { lines: "type: dynamic\nthresholds: {}", why: "it has no thresholds", line: 4 },
    { lines: "type: dynamic\nthresholds: 400", why: "thresholds must be a map, not the number 400", line: 4 },
    {
      lines: "type: dynamic\nthreshold: -1",
      why: "threshold must be a number that is not negative, not the number -1",
      line: 4,
    },
    {
      lines: "type: dynamic\nthreshold: .nan",
      why: "threshold must be a number that is not negative, not the number NaN",
      line: 4,
    },
    {
      lines: "type: dynamic\nthreshold: .inf",
      why: "threshold must be a number that is not negative, not the number Infinity",
      line: 4,
    },
    {
      lines: "type: dynamic\nthreshold: '5'",
      why: "threshold must be a number that is not negative, not the text 5",
      line: 4,
    },
    {
      lines: "type: dynamic\nthresholds: {warn: 5, block: 4}",
      why: "thresholds.warn is greater than thresholds.block",
      line: 4,
    },
    {
      lines: "type: dynamic\ncalculator: weather\nthreshold: 1",
      why: "calculator cannot be the text weather",
      line: 4,
    },
    ...[
      ["5x", "the text 5x"],
      ["-1", "the number -1"],
      ["1 h", "the text 1 h"],
      ["''", "an empty text"],
      [".inf", "the number Infinity"],
      ["9999999d", "the text 9999999d"],
      ["315360001", "the number 315360001"],
      ["[5]", "a list"],
      ["1w", "the text 1w"],
      ["yes", "the text yes"],
    ].map(([text, found]) => ({
      lines: `type: dynamic\nthreshold: 1\napproval_ttl: ${text}`,
      why: `approval_ttl must be a duration of at most ten years, not ${found}`,
      hint: "Write seconds, or 30s, 5m, 1h or 7d.",
      line: 5,
    })),
  ])("that is not valid is left out, and the others stay: $lines", ({ lines, why, hint, line }) => {
    const { config, problems } = readOne(`${lines}\n`);
    expect(problems).toEqual([
      {
        file: "project",
        line: line ?? 3,
        problem: `The requirement a is left out: ${why}.`,
        hint: hint ?? expect.stringMatching(/^[A-Z].*\.$/),
      },
    ]);
    expect(config).toMatchObject({ enabled: true, gates: [] });
    const beside = readTexts({
      user: "requirements: {b: {enabled: true}}",
      project: `requirements: {a: {scope: x}}`,
    });
    expect(beside.config.gates.map(({ name }) => name)).toEqual(["b"]);
  });

  it.each([
    ["true", "true"],
    ["5", "the number 5"],
    ["[x]", "a list"],
    ["x", "the text x"],
  ])("must be a map: %s", (value, found) => {
    expect(problemsOf(`requirements:\n  a: ${value}\n`)).toEqual([
      [
        2,
        `The requirement a is left out: a must be a map, not ${found}.`,
        "Put its settings below it, each indented and with a colon.",
      ],
    ]);
  });

  it.each([
    { lines: "thresholds: 5", key: "thresholds", type: "blocking", other: "dynamic" },
    { lines: "type: guard\nthreshold: many", key: "threshold", type: "guard", other: "dynamic" },
    { lines: "type: dynamic\nthreshold: 1\nbranches: [x]", key: "branches", type: "dynamic", other: "guard" },
  ])("tells of a setting of another type: $lines", ({ lines, key, type, other }) => {
    expect(gateOf(lines)?.type).toBe(type);
    expect(readOne(lines).problems).toEqual([
      {
        file: "project",
        line: 2 + lines.split("\n").length,
        problem: `The setting ${key} of the requirement a does nothing: its type is ${type}.`,
        hint: `Write \`type: ${other}\`, or remove ${key}.`,
      },
    ]);
  });

  it("may have any name that can be seen", () => {
    const names = [
      "a b",
      "a/b",
      "../x",
      "--all",
      "Größe",
      "計画",
      "👩‍💻",
      "constructor",
      "toString",
      "x".repeat(200),
      "1",
    ];
    const text = `requirements:\n${names.map((name) => `  ${JSON.stringify(name)}: {}\n`).join("")}`;
    const { config, problems } = readTexts({ project: text });
    expect({ names: config.gates.map(({ name }) => name), problems }).toEqual({ names, problems: [] });
  });

  it.each([
    ["", "is empty"],
    ["  ", "is empty"],
    ["__proto__", "is reserved"],
    ["x".repeat(201), "is longer than 200 characters"],
    ["x".repeat(10_240), "is longer than 200 characters"],
    ["a\u001b[31mb", "has characters that cannot be seen"],
    ["a\nb", "has characters that cannot be seen"],
    ["a\u202eb", "has characters that cannot be seen"],
    ["a\u0000b", "has characters that cannot be seen"],
    ["\ud800", "has characters that cannot be seen"],
  ])("is left out for a name that would do harm: %j", (name, why) => {
    const text = `requirements:\n  ? ${JSON.stringify(name)}\n  : {enabled: true}\n  b: {}\n`;
    const { config, problems } = readTexts({ project: text });
    expect(config.gates.map((gate) => gate.name)).toEqual(["b"]);
    expect(problems).toEqual([
      {
        file: "project",
        line: 2,
        problem: expect.stringMatching(/^The requirement .* is left out: its name .+\.$/),
        hint: "Give it a name of a few words.",
      },
    ]);
    expect(problems[0]?.problem).toContain(why);
    expect(problems[0]?.problem).toMatch(/^[\u0020-\u007e…]{1,200}$/u);
  });
});
