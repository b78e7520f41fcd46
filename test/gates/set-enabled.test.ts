import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { presets, renderPreset } from "../../src/gates/render-preset.ts";
import { setEnabled } from "../../src/gates/set-enabled.ts";
import { readTexts } from "../support/gate-texts.ts";

const turn = (text: string, name: string, enabled = true) =>
  setEnabled(text, name, { enabled, file: "local.yaml" });

describe("turning a requirement on or off", () => {
  it.each(["", "\n", "  \n"])("makes a file where there is none: %j", (text) => {
    expect(turn(text, "commit_plan", false)).toBe(
      `# What counts only for you, in this work tree. Keep it out of commits.
version: "1.0"
requirements:
  commit_plan:
    enabled: false
`,
    );
  });

  it("changes one word where the requirement says already whether it is on", () => {
    const text = `# mine
requirements:   {b: {scope: branch}, # why
  a: { enabled:   no   , scope: "session"}}   # so

x:
    - 'one'  # not indented as usual
`;
    expect(turn(text, "a")).toBe(text.replace("no   ,", "true   ,"));
  });

  it("keeps comments, order, indentation and line ends", () => {
    const text = `# top
version: 1.0 # v

requirements:
    # about b
    b:
        trigger_tools:
        - Edit # first
        # between
        - Write
        message: a text that is much longer than the eighty characters at which a line would be broken otherwise

    # about a
    a:
        scope: branch # why
        message: |
            hello
              world

# end
`;
    const added = text.replace("    a:\n", "    a:\n        enabled: true\n");
    expect(turn(text, "a")).toBe(added);
    expect(turn(text.replaceAll("\n", "\r\n"), "a")).toBe(added.replaceAll("\n", "\r\n"));
    expect(turn(`\uFEFF${text}`, "a")).toBe(`\uFEFF${added}`);
    expect(turn(text, "c")).toBe(
      text.replace("requirements:\n", "requirements:\n    c:\n        enabled: true\n"),
    );
  });

  it.each([
    ["requirements:\n", "requirements:\n  a:\n    enabled: true\n"],
    ["requirements:\n  a:\n", "requirements:\n  a:\n    enabled: true\n"],
    ["requirements:\n  a:\n    enabled:\n", "requirements:\n  a:\n    enabled: true\n"],
    ["requirements:\n  a:\n    enabled: # later\n", "requirements:\n  a:\n    enabled: true # later\n"],
    ["requirements:\n  'a':\n    enabled: 'off'\n", "requirements:\n  'a':\n    enabled: true\n"],
    ["enabled: true", "enabled: true\nrequirements:\n  a:\n    enabled: true\n"],
    ["requirements: # mine\n  b:\n\n", "requirements: # mine\n  a:\n    enabled: true\n  b:\n\n"],
    ["requirements:\n a:\n  scope: branch\n", "requirements:\n a:\n  enabled: true\n  scope: branch\n"],
    ["requirements: ~\n", "requirements:\n  a:\n    enabled: true\n"],
    ["{}\n", "{ requirements: { a: { enabled: true } } }\n"],
    ["---\nenabled: true\n...\n", "---\nenabled: true\nrequirements:\n  a:\n    enabled: true\n...\n"],
    ["requirements: {}\n", "requirements: { a: { enabled: true } }\n"],
    ["# only this\n", "# only this\nrequirements:\n  a:\n    enabled: true\n"],
    [
      "x: &x\n  scope: branch\nrequirements:\n  a:\n    <<: *x\n",
      "x: &x\n  scope: branch\nrequirements:\n  a:\n    enabled: true\n    <<: *x\n",
    ],
  ])("adds what is missing: %j", (text, changed) => {
    expect(turn(text, "a")).toBe(changed);
  });

  it("finds a name that YAML takes for a number", () => {
    expect(turn("requirements:\n  1.10:\n    enabled: false\n", "1.10")).toBe(
      "requirements:\n  1.10:\n    enabled: true\n",
    );
  });

  it.each([
    {
      text: "a: [",
      message: /^local\.yaml cannot be changed: It is not YAML, in column 5: .+\.$/,
      hint: "Line 1: Put this line, or the one before it, right.",
    },
    { text: "- a\n", message: "local.yaml cannot be changed: It is no map of settings." },
    {
      text: "version: 9\n",
      message: /Version 9 is newer than what this Carryon knows\.$/,
      hint: "Line 1: Update Carryon.",
    },
    {
      text: "enabled: true\nenabled: true\n",
      message: "local.yaml cannot be changed: a key stands there twice.",
    },
    { text: "requirements: [x]\n", message: "local.yaml cannot be changed: requirements is no map there." },
    { text: "requirements:\n  a: true\n", message: "local.yaml cannot be changed: a is no map there." },
    {
      text: "x: &x {}\nrequirements: *x\n",
      message: "local.yaml cannot be changed: requirements has an anchor or is an alias there.",
    },
    {
      text: "x: &x {}\nrequirements: {a: *x}\n",
      message: "local.yaml cannot be changed: a has an anchor or is an alias there.",
    },
    {
      text: "x: &x true\nrequirements: {a: {enabled: *x}}\n",
      message: "local.yaml cannot be changed: enabled has an anchor or is an alias there.",
    },
    {
      text: "requirements: {a: &x {enabled: true}, b: *x}\n",
      message: "local.yaml cannot be changed: a has an anchor or is an alias there.",
    },
    {
      text: "requirements: {a: {enabled: &x true}, b: {enabled: *x}}\n",
      message: "local.yaml cannot be changed: enabled has an anchor or is an alias there.",
    },
  ])("is refused where it would break something: $text", ({ text, message, hint }) => {
    expect(() => turn(text, "a")).toThrow(
      expect.objectContaining({
        kind: "config",
        code: "bad-requirements",
        message: typeof message === "string" ? message : expect.stringMatching(message),
        hint: hint ?? expect.any(String),
      }),
    );
  });

  it.each(presets)("works on what init has written, and changes nothing else: %s", (preset) => {
    const text = renderPreset(preset);
    for (const { name } of readTexts({ local: text }).config.gates) {
      const changed = turn(text, name, false);
      expect(changed.split("\n").filter((line, index) => line !== text.split("\n")[index])).toEqual([
        "    enabled: false",
      ]);
    }
  });

  it("says nothing else than before about anything else", () => {
    const name = fc.constantFrom("a", "b", "c d", "é", "x: y", "#", "- z", "1", "true", "~");
    const leaf = fc.constantFrom<unknown>(true, false, 1, "x", "a # b", "two\nlines\n", null, [
      "x",
      { tool: "y" },
    ]);
    const requirement = fc.dictionary(fc.constantFrom("enabled", "scope", "message", "trigger_tools"), leaf, {
      noNullPrototype: true,
    });
    const options = fc.record({
      indent: fc.constantFrom(1, 2, 4),
      indentSeq: fc.boolean(),
      aliasDuplicateObjects: fc.constant(false),
    });
    fc.assert(
      fc.property(
        fc.dictionary(name, requirement, { noNullPrototype: true }),
        name,
        fc.boolean(),
        options,
        (requirements, which, enabled, layout) => {
          const text = stringify({ version: "1.0", requirements, hooks: { stop: {} } }, layout);
          const before = parse(text);
          const mine = { ...before.requirements?.[which], enabled };
          const after = { ...before, requirements: { ...before.requirements, [which]: mine } };
          const changed = turn(text, which, enabled);
          expect(parse(changed)).toEqual(after);
          expect(turn(changed, which, enabled)).toBe(changed);
        },
      ),
    );
  });
});
