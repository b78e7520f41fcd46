import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseStep } from "./choose-step.ts";
import type { Conversation, Turn } from "./conversation.ts";
import type { Scenario } from "./scenario.ts";

const user = (...texts: readonly string[]): Turn => ({ role: "user", texts, answersCalls: false });
const results = (...texts: readonly string[]): Turn => ({ role: "user", texts, answersCalls: true });
const answer: Turn = { role: "assistant", texts: ["ok"], answersCalls: false };

/** Asks a scenario; the conversation is one of a model without a system prompt unless told. */
function choose(scenario: Scenario, turns: readonly Turn[], more: Partial<Conversation> = {}) {
  return chooseStep(scenario, { model: "m", system: "", turns, ...more });
}

describe("a rule", () => {
  const scenario: Scenario = {
    rules: [
      { when: "plan", system: "You instruct", steps: [{ text: "by both" }] },
      { system: "You instruct", steps: [{ text: "by the system prompt" }, { text: "again" }] },
      { model: "worker", steps: [{ text: "by the model" }] },
      { when: ["hello", "good morning"], steps: [{ text: "Hello!" }] },
      { when: "read ", steps: [{ text: "{{rest}}" }] },
      { when: "a-b/c (d)?", steps: [{ text: "as it is" }] },
    ],
    otherwise: { text: "other" },
  };
  const instructor = { system: "Be brief. You instruct a worker." };
  it.each<{
    case: string;
    turns: readonly Turn[];
    more?: Partial<Conversation>;
    says: string;
    rule?: string;
  }>([
    {
      case: "can need prompt and system prompt",
      turns: [user("plan")],
      more: instructor,
      says: "by both",
      rule: "plan",
    },
    { case: "needs both where it names both", turns: [user("plan")], says: "other" },
    {
      case: "can need the system prompt alone",
      turns: [user("go")],
      more: instructor,
      says: "by the system prompt",
      rule: "You instruct",
    },
    {
      case: "goes on beside results of tools, whatever they say",
      turns: [user("go"), answer, results("A skill.")],
      more: instructor,
      says: "again",
      rule: "You instruct",
    },
    {
      case: "can need a model",
      turns: [user("go")],
      more: { model: "my-worker" },
      says: "by the model",
      rule: "worker",
    },
    { case: "can be for several texts", turns: [user("Well, good morning.")], says: "Hello!", rule: "hello" },
    { case: "is for a text in any case", turns: [user("HELLO")], says: "Hello!", rule: "hello" },
    { case: "is for a text as it is", turns: [user("a-b/c (d)?")], says: "as it is", rule: "a-b/c (d)?" },
    {
      case: "knows what follows in the line",
      turns: [user("Please read  src/a b.ts \nand more")],
      says: "src/a b.ts",
      rule: "read ",
    },
  ])("$case", ({ turns, more, says, rule }) => {
    expect(choose(scenario, turns, more)).toMatchObject({ rule, answer: { text: says } });
  });
});

it("fills in the prompt and the number of the turn, wherever a step names them", () => {
  const scenario: Scenario = {
    otherwise: {
      thinking: "{{turn}}",
      text: "{{turn}}: {{prompt}} {{dir}}",
      calls: [{ tool: "write", input: { path: ["{{turn}}.md"], content: "{{prompt}}" } }],
      long: 2,
    },
  };
  expect(choose(scenario, [user("a"), answer, user('Say "{{turn}}".\n')]).answer).toEqual({
    thinking: "2",
    text: '2: Say "{{turn}}". {{dir}}\n\nThe harbour.',
    calls: [{ tool: "write", input: { path: ["2.md"], content: 'Say "{{turn}}".' } }],
    long: 2,
  });
});

describe("a story", () => {
  const told = ["one", "two", "three"].map((text) => ({ text }));
  it("goes on by a step for each turn of the conversation, whatever is asked", () => {
    const turns = [user("a"), answer, results(), answer, user("b")];
    expect(choose({ story: told }, turns)).toEqual({ rule: "story", step: 2, answer: { text: "three" } });
  });

  it("says so when it has ended, or answers otherwise", () => {
    const turns = [user("a"), answer, user("b"), answer, user("c"), answer, user("d")];
    expect(choose({ story: told }, turns).answer).toEqual({ text: "The script has ended." });
    expect(choose({ story: told, otherwise: { text: "more" } }, turns)).toEqual({
      rule: undefined,
      step: 0,
      answer: { text: "more" },
    });
  });

  it("is told where no rule is for the prompt", () => {
    const scenario: Scenario = { rules: [{ when: "b", steps: [{ text: "by the rule" }] }], story: told };
    expect(choose(scenario, [user("a"), answer, user("b")])).toMatchObject({ rule: "b", step: 0 });
    expect(choose(scenario, [user("a"), answer, user("b"), answer, user("c")])).toMatchObject({
      rule: "story",
      step: 2,
    });
  });

  it("can be one for each of two strands", () => {
    const scenario: Scenario = {
      rules: [
        { system: "You instruct", story: [{ text: "Do this." }, { text: "Do that." }] },
        { system: "You work", story: [{ text: "Did this." }, { text: "Did that." }] },
      ],
    };
    const second = [user("a"), answer, user("b")];
    expect(choose(scenario, second, { system: "You instruct." })).toEqual({
      rule: "You instruct",
      step: 1,
      answer: { text: "Do that." },
    });
    expect(choose(scenario, second, { system: "You work." })).toEqual({
      rule: "You work",
      step: 1,
      answer: { text: "Did that." },
    });
  });

  it("goes on where it was, however often a conversation of 40 messages is killed and resumed", () => {
    const scenario: Scenario = { story: Array.from({ length: 20 }, (_, index) => ({ text: `${index}` })) };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 20, maxLength: 20 }), (losses) => {
        const turns: Turn[] = [];
        for (const [index, lost] of losses.entries()) {
          turns.push(user(`question ${index}`));
          // A reply that never arrived leaves nothing behind, so that the same is asked again.
          for (let attempt = 0; attempt <= lost; attempt += 1) {
            expect(choose(scenario, turns)).toEqual({
              rule: "story",
              step: index,
              answer: { text: `${index}` },
            });
          }
          turns.push(answer);
        }
      }),
    );
  });
});
