import { describe, expect, it } from "vitest";
import { presets, renderPreset } from "../../src/gates/render-preset.ts";
import { readTexts } from "../support/gate-texts.ts";

describe("a preset", () => {
  it.each(presets)("is read without a problem or a note: %s", (preset) => {
    const { problems, notes, config } = readTexts({ project: renderPreset(preset) });
    expect({ problems, notes, enabled: config.enabled }).toEqual({ problems: [], notes: [], enabled: true });
  });

  it("asks for more the stricter it is", () => {
    const gatesOf = (preset: (typeof presets)[number]) =>
      readTexts({ project: renderPreset(preset) }).config.gates.map(
        ({ name, type, scope, enabled, stopOnly }) => [
          name,
          type,
          scope,
          enabled ? "on" : "off",
          stopOnly ? "at the stop" : "before a tool",
        ],
      );
    expect(Object.fromEntries(presets.map((preset) => [preset, gatesOf(preset)]))).toEqual({
      strict: [
        ["commit_plan", "blocking", "session", "on", "before a tool"],
        ["adr_reviewed", "blocking", "session", "on", "before a tool"],
        ["tdd_planned", "blocking", "session", "on", "before a tool"],
        ["solid_reviewed", "blocking", "session", "on", "before a tool"],
        ["protected_branch", "guard", "session", "on", "before a tool"],
        ["branch_size", "dynamic", "session", "on", "before a tool"],
        ["pre_commit_review", "blocking", "single_use", "on", "before a tool"],
      ],
      relaxed: [
        ["commit_plan", "blocking", "session", "on", "at the stop"],
        ["reviewed", "blocking", "session", "on", "at the stop"],
        ["protected_branch", "guard", "session", "on", "before a tool"],
      ],
      minimal: [["commit_plan", "blocking", "session", "on", "before a tool"]],
    });
  });

  it("guards every commit with its pattern when it is strict", () => {
    const { config } = readTexts({ project: renderPreset("strict") });
    expect(config.gates.at(-1)?.triggers).toEqual([
      { tool: "Bash", pattern: "git\\s+(commit|merge|cherry-pick|revert)" },
    ]);
  });

  it("sets what holds anyway under hooks, so that it can be changed there", () => {
    const { config: given } = readTexts({ project: renderPreset("strict") });
    const { config: usual } = readTexts({});
    expect({ ...given, gates: [] }).toEqual(usual);
  });

  it.each(presets)("explains each setting where it stands first: %s", (preset) => {
    const lines = renderPreset(preset).split("\n");
    const seen = new Set<string>();
    const bare = lines.flatMap((line, index) => {
      const [, key] = /^\s*(?:- )?([a-z_]+):/.exec(line) ?? [];
      if (key === undefined || seen.has(key)) return [];
      seen.add(key);
      return /^\s*#/.test(lines[index - 1] ?? "") ? [] : [key];
    });
    // Names of requirements and of groups, and what the comment above a neighbour explains as well.
    const explained = [
      "requirements",
      "hooks",
      "session_start",
      "stop",
      "session_end",
      "commit_plan",
      "adr_reviewed",
      "tdd_planned",
      "solid_reviewed",
      "protected_branch",
      "branch_size",
      "pre_commit_review",
      "reviewed",
      "warn",
      "block",
      "command_pattern",
      "verify_scopes",
    ];
    expect(bare.filter((key) => !explained.includes(key))).toEqual([]);
  });
});
