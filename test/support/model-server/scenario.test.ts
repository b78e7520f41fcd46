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

it("refuses a scenario that names a value which is not given", () => {
  expect(() => parseScenario(source({ rules: [], otherwise: { text: "{{dir}}" } }), { file: "c" })).toThrow(
    "The scenario needs a value for {{dir}}.",
  );
});

it.each([
  { case: "an unknown field", scenario: { rules: [{ when: "a", steps: [{ txt: "b" }] }] } },
  { case: "an unknown field of the usage", scenario: { rules: [], otherwise: { usage: { tokens: 1 } } } },
  { case: "a rule without steps", scenario: { rules: [{ when: "a", steps: [] }] } },
  { case: "a rule for every prompt", scenario: { rules: [{ when: "", steps: [{ text: "b" }] }] } },
  {
    case: "an error that is none",
    scenario: { rules: [], otherwise: { error: { status: 200, type: "a", message: "b" } } },
  },
])("refuses $case", ({ scenario }) => {
  expect(() => parseScenario(source(scenario))).toThrow(/^This is no scenario:\n/);
});

it.each(globSync("test/fixtures/scenarios/*.json"))("reads %s", (path) => {
  const values = { carryon: "carryon", folder: "/shop" };
  expect(readScenario(basename(path, ".json"), values).rules.length).toBeGreaterThan(0);
});
