import { globSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { parseScenario, readScenario } from "./scenario.ts";

const source = (scenario: object) => JSON.stringify(scenario);

it("fills in values wherever a text names them", () => {
  const scenario = {
    rules: [
      {
        when: "look at {{file}}",
        steps: [{ calls: [{ tool: "Read", input: { at: ["{{dir}}/{{file}}"] } }] }],
      },
    ],
  };
  expect(parseScenario(source(scenario), { dir: '/a "b"', file: "c" })).toEqual({
    rules: [{ when: "look at c", steps: [{ calls: [{ tool: "Read", input: { at: ['/a "b"/c'] } }] }] }],
  });
});

it("leaves what only a request can fill in", () => {
  const scenario = { otherwise: { text: "{{turn}}: {{prompt}}, {{rest}} {{dir}}" } };
  expect(parseScenario(source(scenario), { dir: "/a", turn: "never" })).toEqual({
    otherwise: { text: "{{turn}}: {{prompt}}, {{rest}} /a" },
  });
});

it("refuses a scenario that names a value which is not given", () => {
  expect(() => parseScenario(source({ rules: [], otherwise: { text: "{{dir}}" } }), { file: "c" })).toThrow(
    "The scenario needs a value for {{dir}}.",
  );
});

it.each([
  { case: "an unknown field", scenario: { rules: [{ when: "a", steps: [{ txt: "b" }] }] } },
  { case: "an unknown field of the usage", scenario: { rules: [], otherwise: { usage: { tokens: 1 } } } },
  { case: "a rule without steps", scenario: { rules: [{ when: "a", steps: [] }] } },
  { case: "a rule for whatever is asked", scenario: { rules: [{ steps: [{ text: "b" }] }] } },
  {
    case: "a rule with two kinds of steps",
    scenario: { rules: [{ when: "a", steps: [{ text: "b" }], story: [{ text: "c" }] }] },
  },
  { case: "a rule for every prompt", scenario: { rules: [{ when: "", steps: [{ text: "b" }] }] } },
  {
    case: "an error that is none",
    scenario: { rules: [], otherwise: { error: { status: 200, type: "a", message: "b" } } },
  },
  {
    case: "a step that fails in two ways",
    scenario: { rules: [], otherwise: { error: { status: 500 }, drop: { at: "start" } } },
  },
])("refuses $case", ({ scenario }) => {
  expect(() => parseScenario(source(scenario))).toThrow(/^This is no scenario:\n/);
});

it.each(globSync("test/fixtures/scenarios/*.json"))("reads %s", (path) => {
  const values = { carryon: "carryon", folder: "/shop" };
  expect(readScenario(basename(path, ".json"), values).about).toMatch(/\.$/);
});
