import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";

const origin = ["--spec", "login", "--role", "Builder", "--task", "2"];
const inWork = (carryon: Carryon, ...names: readonly string[]) => join(carryon.folder, "work", ...names);

describe("carryon note in a project with specs, on a terminal", () => {
  const ask = async (carryon: Carryon, args: readonly string[], answers: readonly string[]) => {
    const asked: string[] = [];
    const left = [...answers];
    const context = testContext(inWork(carryon), {
      env: { CARRYON_HOME: join(carryon.folder, "home") },
      isTerminal: { input: true, output: true, error: true },
      choose: async (question, choices) => {
        asked.push(question);
        return choices.findIndex(({ label }) => label === left[0] && left.shift() !== undefined);
      },
      askText: async ({ message }) => {
        asked.push(message);
        return left.shift();
      },
    });
    return { code: await runCli(["note", ...args], context), asked, stdout: context.said.out };
  };
  const spec = "In which spec was it learned? (empty: in none)";

  it.each([
    {
      ...{ case: "all that was not given", args: ["retry"], answers: ["PATTERN", "login", "Builder", "2"] },
      asked: [
        "What kind of note is it?",
        spec,
        "In which role, such as Builder or Inspector?",
        "In which task?",
      ],
      noted: "[PATTERN] retry (source: login Builder, task 2)",
    },
    {
      ...{ case: "for no role and task where it was learned in no spec", args: ["incident", "full disk"] },
      ...{ answers: [""], asked: [spec], noted: "[INCIDENT] full disk (source: user)" },
    },
    {
      ...{
        case: "nothing that was given",
        args: ["incident", "full disk", ...origin],
        answers: [],
        asked: [],
      },
      noted: "[INCIDENT] full disk (source: login Builder, task 2)",
    },
    {
      ...{ case: "no tag that the text has", args: ["[PATTERN] retry"], answers: [""], asked: [spec] },
      noted: "[PATTERN] retry (source: user)",
    },
    {
      ...{ case: "no source that the text has", args: ["pattern", "retry (source: a b, task 1)"] },
      ...{ answers: [], asked: [], noted: "[PATTERN] retry (source: a b, task 1)" },
    },
  ])("asks for $case", async ({ args, answers, asked, noted }) => {
    await using carryon = await openCarryon();
    await mkdir(inWork(carryon, ".sdd/project/specs"), { recursive: true });
    expect(await ask(carryon, args, answers)).toEqual({ code: 0, asked, stdout: `${noted}\n` });
  });

  it("notes nothing when a person leaves", async () => {
    await using carryon = await openCarryon();
    await mkdir(inWork(carryon, ".sdd/project/specs"), { recursive: true });
    expect(await ask(carryon, ["retry"], ["PATTERN", "login"])).toMatchObject({ code: 130, stdout: "" });
    expect(await readdir(inWork(carryon, ".sdd"))).toEqual(["project"]);
  });
});
