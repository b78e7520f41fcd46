import { describe, expect, it } from "vitest";
import { chooseStep } from "./choose-step.ts";
import type { Conversation, Turn } from "./conversation.ts";
import { readScenario, type Step } from "./scenario.ts";

const scenario = readScenario("newcomer");
const answer: Turn = { role: "assistant", texts: ["ok"], answersCalls: false };
const results: Turn = { role: "user", texts: [], answersCalls: true };

function asked(prompt: string, ...after: readonly Turn[]): Conversation {
  const turns: Turn[] = [{ role: "user", texts: [prompt], answersCalls: false }, ...after];
  return { model: "m", system: "", turns };
}

/** Returns what the newcomer's model does with a prompt, up to the end of its turn. */
function stepsFor(prompt: string): readonly Step[] {
  const after: Turn[] = [];
  const steps: Step[] = [];
  for (;;) {
    const step = chooseStep(scenario, asked(prompt, ...after)).answer;
    steps.push(step);
    if (step.calls === undefined) return steps;
    after.push(answer, results);
  }
}

describe("the model of a newcomer", () => {
  it.each([
    { prompt: "Please list the files.", calls: [["list", {}]] },
    { prompt: "Read README", calls: [["read", { path: "README.md" }]] },
    { prompt: "read src/index.ts", calls: [["read", { path: "src/index.ts" }]] },
    { prompt: "search for openStore", calls: [["search", { pattern: "openStore" }]] },
    {
      prompt: "write a note",
      calls: [["write", { path: "carryon-note.md", content: "# A note\n\nWritten by a scripted model.\n" }]],
    },
    {
      prompt: "change the note",
      calls: [
        ["read", { path: "carryon-note.md" }],
        [
          "edit",
          {
            path: "carryon-note.md",
            old: "Written by a scripted model.",
            new: "Written and changed by a scripted model.",
          },
        ],
      ],
    },
    { prompt: "Run the tests", calls: [["bash", { command: "npm test" }]] },
    { prompt: "Show the history", calls: [["bash", { command: "git log --oneline -5" }]] },
    {
      prompt: "look around",
      calls: [
        ["list", {}],
        ["read", { path: "README.md" }],
      ],
    },
  ])("uses tools at “$prompt”, and says something at the end", ({ prompt, calls }) => {
    const steps = stepsFor(prompt);
    expect(steps.flatMap((step) => step.calls ?? []).map(({ tool, input }) => [tool, input])).toEqual(calls);
    expect(steps.at(-1)?.text).toMatch(/\.$/);
  });

  it.each([
    { prompt: "Hello", says: /scripted model/ },
    { prompt: "help", says: /^## What I know\n\n\| say \| and I will \|\n/ },
    { prompt: "think about cats", says: /^I have thought about cats\./ },
    { prompt: "Tell me a long story!", says: /^# The lamp of the harbour\n\n(\S+\s+){599}\S+\.$/ },
    { prompt: "What is 1 + 1?", says: /^## You said\n\n> What is 1 \+ 1\?\n.*```ts\n.*\| turn \| 1 \|/s },
  ])("answers “$prompt”", ({ prompt, says }) => {
    expect(stepsFor(prompt)).toEqual([expect.objectContaining({ text: expect.stringMatching(says) })]);
  });

  it("fails in every way when it is asked to", () => {
    const failures = ["be overloaded", "refuse me", "drop the connection", "be silent"].map((prompt) => {
      const [{ error, drop, hang } = {}] = stepsFor(prompt);
      return error ?? drop ?? hang;
    });
    expect(failures).toEqual([
      { status: 529, times: 2, retryAfter: 1 },
      { status: 429, retryAfter: 1 },
      { at: "middle" },
      { at: "middle" },
    ]);
  });

  it("names in its help whatever it has a rule for", () => {
    const [{ text: help = "" } = {}] = stepsFor("help");
    const named = [...help.matchAll(/^\| (.*?) \|/gm)].flatMap(([, said = ""]) => said.split(", "));
    const found = new Set(named.map((said) => chooseStep(scenario, asked(said)).rule));
    const rules = (scenario.rules ?? []).map(({ when }) => [when].flat()[0]);
    const unnamed = rules.filter((rule) => !found.has(rule));
    expect(unnamed).toEqual(["summarize", "help"]);
  });
});
