import { expect, it } from "vitest";
import { readTexts } from "../../support/gate-texts.ts";

const readNames = (...names: readonly string[]) =>
  readTexts({ project: `requirements:\n${names.map((name) => `  ${JSON.stringify(name)}: {}\n`).join("")}` });

it.each([
  { one: "Plan", other: "plan" },
  { one: "plan", other: "plan " },
  { one: "caf\u00e9", other: "cafe\u0301" },
])("tells of two names that people take for one, and keeps both: $one, $other", ({ one, other }) => {
  const { config, problems } = readNames(one, other);
  expect(config.gates.map(({ name }) => name)).toEqual([one, other]);
  expect(problems).toEqual([
    {
      file: "project",
      line: 3,
      problem: `The requirements ${JSON.stringify(one)} and ${JSON.stringify(other)} differ in capital letters, spaces or the way an accent is written alone; both count, each for itself.`,
      hint: "Give one of them another name, or remove it.",
    },
  ]);
});

it("tells of a space that nobody sees", () => {
  expect(readNames(" plan").problems).toEqual([
    {
      file: "project",
      line: 2,
      problem: 'The name of the requirement " plan" begins or ends with a space, which belongs to it.',
      hint: "Remove the space.",
    },
  ]);
});

it("shows a name that is empty", () => {
  expect(readNames("").problems.map(({ problem }) => problem)).toEqual([
    'The requirement "" is left out: its name is empty.',
  ]);
});
