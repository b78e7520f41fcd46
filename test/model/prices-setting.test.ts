import { describe, expect, it } from "vitest";
import { settingReaders } from "../../src/care/setting-readers.ts";
import { parseConfig } from "../../src/workspace/parse-config.ts";

const read = (...lines: readonly string[]) =>
  parseConfig(
    ["models:", "  prices:", ...lines.map((line) => `    ${line}`)].join("\n"),
    "/home/config.yaml",
    settingReaders,
  ).settings;

describe("the prices of models", () => {
  it("are read by the names of the models, with their provider or by a name that says it", () => {
    expect(
      read(
        "anthropic/claude-sonnet-5-5: { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 }",
        "gpt-6.1-terra: { input: 2.5, output: 15 }",
        "openai/local/model: { input: 0, output: 0 }",
      ),
    ).toEqual({
      models: {
        prices: {
          "anthropic/claude-sonnet-5-5": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
          "openai/gpt-6.1-terra": { input: 2.5, output: 15 },
          "openai/local/model": { input: 0, output: 0 },
        },
      },
    });
  });

  it.each([
    {
      case: "what is no model",
      line: "glm: { input: 3, output: 15 }",
      says: "models.prices has what is no name of a model",
    },
    {
      case: "one half of a price",
      line: "openai/x: { input: 3 }",
      says: "the price of openai/x lacks input or output",
    },
    { case: "text", line: "openai/x: { input: three, output: 1 }", says: "input must be a number from 0 on" },
    {
      case: "less than nothing",
      line: "openai/x: { input: 3, output: -1 }",
      says: "output must be a number from 0 on",
    },
    {
      case: "another name",
      line: "openai/x: { input: 3, ouput: 1 }",
      says: "there is no setting of the price of openai/x ouput",
    },
    { case: "no map", line: "openai/x: 3", says: "the price of openai/x must be a map" },
  ])("are refused with $case, at the line of it", ({ line, says }) => {
    expect(() => read("openai/a: { input: 1, output: 1 }", line)).toThrow(
      `/home/config.yaml, line 4: ${says}.`,
    );
  });

  it("are refused as a list", () => {
    expect(() => read("- 3")).toThrow("/home/config.yaml, line 3: models.prices must be a map.");
  });
});
