import { describe, expect, it } from "vitest";
import { readTexts } from "../../support/gate-texts.ts";

const readOne = (lines: string) => readTexts({ project: `requirements:\n  a:\n    ${lines}\n` });
const gateOf = (lines: string) => readOne(lines).config.gates[0];
const problemsOf = (text: string) =>
  readTexts({ project: text }).problems.map(({ line, problem, hint }) => [line, problem, hint]);

describe("a requirement", () => {
  it("loses a trigger whose pattern cannot be used, and goes with its last one", () => {
    const lookahead = "{tool: Bash, command_pattern: 'a(?=b)'}";
    const told = [
      3,
      "A trigger of the requirement a is left out: its command_pattern a(?=b) cannot be used (invalid or unsupported Perl syntax, at character 2: (?=b)).",
      "Write it without looking ahead or behind and without referring back to a group.",
    ];
    expect(gateOf(`trigger_tools: [Write, ${lookahead}]`)?.triggers).toEqual([{ tool: "Write" }]);
    expect(problemsOf(`requirements:\n  a:\n    trigger_tools: [Write, ${lookahead}]\n`)).toEqual([told]);
    expect(gateOf(`trigger_tools: [${lookahead}]`)).toBeUndefined();
    expect(problemsOf(`requirements:\n  a:\n    trigger_tools: [${lookahead}]\n`)).toEqual([
      told,
      [
        3,
        "The requirement a is left out: none of its triggers can be used.",
        "Give it a trigger, or remove trigger_tools.",
      ],
    ]);
  });

  const inTrigger = (settings: string) => `trigger_tools: [Write, {tool: Bash, ${settings}}]`;

  it.each([
    {
      lines: inTrigger("comand_pattern: git commit"),
      why: "it has a setting comand_pattern that there is not",
      hint: "Did you mean command_pattern?",
    },
    {
      lines: inTrigger("command_pattern: git commit, note: x"),
      why: "it has a setting note that there is not",
      hint: "There are: tool, command_pattern.",
    },
    {
      lines: inTrigger("command_pattern: "),
      why: "its command_pattern is empty",
      hint: "Write a pattern, or remove the key to guard every command that may write.",
    },
    { lines: inTrigger("command_pattern: ' '"), why: "its command_pattern is empty" },
    {
      lines: "trigger_tools: [Write, {tool: Edit, command_pattern: git commit}]",
      why: "only Bash has commands, and its command_pattern is for Edit",
      hint: "Write `tool: Bash`, or remove command_pattern.",
    },
  ])("loses a trigger that would guard something else than was meant: $lines", ({ lines, why, hint }) => {
    expect(gateOf(lines)?.triggers).toEqual([{ tool: "Write" }]);
    expect(readOne(lines).problems).toEqual([
      {
        file: "project",
        line: 3,
        problem: `A trigger of the requirement a is left out: ${why}.`,
        hint: hint ?? expect.any(String),
      },
    ]);
  });

  it("is told to guard nothing with an empty list of triggers", () => {
    expect(gateOf("trigger_tools: []")?.triggers).toEqual([]);
    expect(problemsOf("requirements:\n  a:\n    trigger_tools: []\n")).toEqual([
      [
        3,
        "The requirement a guards nothing: trigger_tools is an empty list.",
        "Name a tool there, or remove trigger_tools to guard edits.",
      ],
    ]);
  });

  it.each([
    ["Bsh", "Did you mean Bash?"],
    ["{tool: bash}", "Did you mean Bash?"],
    ["Hammer", "Name a tool such as Edit, Write or Bash, or one of a server: mcp__…"],
  ])("keeps a trigger on a tool that nobody has, and tells of it: %s", (trigger, hint) => {
    const tool = trigger.replace(/[{}]|tool: /g, "");
    expect(gateOf(`trigger_tools: [${trigger}]`)?.triggers).toEqual([{ tool }]);
    expect(problemsOf(`requirements:\n  a:\n    trigger_tools: [${trigger}]\n`)).toEqual([
      [
        3,
        `A trigger of the requirement a names a tool ${tool} that Claude Code is not known to have; it counts only for a tool of that name.`,
        hint,
      ],
    ]);
  });

  it("knows the tools of servers", () => {
    expect(readOne("trigger_tools: [mcp__files__write]").problems).toEqual([]);
  });

  it.each([
    [
      "triggers: [Bash]",
      /^Write trigger_tools, .* without it Edit, Write, MultiEdit and NotebookEdit are guarded\.$/,
    ],
    [
      "command_pattern: git commit",
      /^It belongs into a trigger: .*; all that trigger_tools names is guarded without it\.$/,
    ],
  ])("says what counts instead of a setting that stands elsewhere: %s", (lines, hint) => {
    expect(readOne(lines).problems).toEqual([
      {
        file: "project",
        line: 3,
        problem: `There is no setting ${lines.replace(/:.*/, "")} in the requirement a; it is left out.`,
        hint: expect.stringMatching(hint),
      },
    ]);
  });
});
