import { expect, it } from "vitest";
import { toConversation } from "./anthropic/to-conversation.ts";
import type { WireMessage } from "./anthropic/wire.ts";
import { chooseStep } from "./choose-step.ts";
import type { Scenario } from "./scenario.ts";

const scenario: Scenario = {
  rules: [
    { when: "build", steps: [{ text: "b0" }, { text: "b1" }] },
    { when: "test", steps: [{ text: "t0" }] },
    { when: "build the docs", steps: [{ text: "never: an earlier rule is for it" }] },
  ],
  otherwise: { text: "other" },
};

const choose = (script: Scenario, messages: readonly WireMessage[]) =>
  chooseStep(script, toConversation({ model: "m", max_tokens: 1, messages }));
const user = (...texts: readonly string[]): WireMessage => ({
  role: "user",
  content: texts.map((text) => ({ type: "text", text })),
});
const call: WireMessage = {
  role: "assistant",
  content: [{ type: "tool_use", id: "1", name: "Bash", input: {} }],
};
const result = (...texts: readonly string[]): WireMessage => ({
  role: "user",
  content: [
    { type: "tool_result", tool_use_id: "1", content: "test" },
    ...texts.map((text) => ({ type: "text", text })),
  ],
});
const answer: WireMessage = { role: "assistant", content: "ok" };
const reminder = "<system-reminder>\nRun the test soon.\n</system-reminder>";

it.each<{
  case: string;
  messages: readonly WireMessage[];
  says: string;
  rule: string | undefined;
  step: number;
}>([
  { case: "begins with the first step", messages: [user("build it")], says: "b0", rule: "build", step: 0 },
  {
    case: "takes a string as a prompt",
    messages: [{ role: "user", content: "build" }],
    says: "b0",
    rule: "build",
    step: 0,
  },
  {
    case: "goes on by a step for each turn",
    messages: [user("build"), call, result()],
    says: "b1",
    rule: "build",
    step: 1,
  },
  {
    case: "counts messages of one role in a row as a turn",
    messages: [user("build"), answer, call, result()],
    says: "b1",
    rule: "build",
    step: 1,
  },
  {
    case: "says so when there is no step left",
    messages: [user("test"), call, result()],
    says: "The script has ended.",
    rule: "test",
    step: 1,
  },
  {
    case: "begins anew with a new prompt",
    messages: [user("build"), answer, user("test")],
    says: "t0",
    rule: "test",
    step: 0,
  },
  {
    case: "begins anew with the same prompt",
    messages: [user("build"), answer, user("build")],
    says: "b0",
    rule: "build",
    step: 0,
  },
  {
    case: "answers what no rule is for",
    messages: [user("build"), answer, user("hello")],
    says: "other",
    rule: undefined,
    step: 0,
  },
  {
    case: "looks at the last text of a prompt",
    messages: [user("build", "test")],
    says: "t0",
    rule: "test",
    step: 0,
  },
  {
    case: "looks at nothing but the last text of a prompt",
    messages: [user("build", "hello")],
    says: "other",
    rule: undefined,
    step: 0,
  },
  {
    case: "takes messages in a row as one",
    messages: [user("build"), user("test")],
    says: "t0",
    rule: "test",
    step: 0,
  },
  {
    case: "passes over a reminder in a prompt",
    messages: [user(reminder, `build${reminder}`, reminder)],
    says: "b0",
    rule: "build",
    step: 0,
  },
  {
    case: "passes over a reminder beside a result",
    messages: [user("build"), call, result(reminder)],
    says: "b1",
    rule: "build",
    step: 1,
  },
  {
    case: "passes over a turn that is only a reminder",
    messages: [user("build"), answer, user(reminder)],
    says: "b1",
    rule: "build",
    step: 1,
  },
  {
    case: "passes over a system entry",
    messages: [user("build"), { role: "system", content: "test" }],
    says: "b0",
    rule: "build",
    step: 0,
  },
  {
    case: "passes over text beside a result that no rule is for",
    messages: [user("build"), call, result("A skill.")],
    says: "b1",
    rule: "build",
    step: 1,
  },
  {
    case: "takes text beside a result that a rule is for as a prompt",
    messages: [user("build"), call, result("test")],
    says: "t0",
    rule: "test",
    step: 0,
  },
])("$case", ({ messages, says, rule, step }) => {
  expect(choose(scenario, messages)).toEqual({
    rule,
    step,
    answer: { text: says },
  });
});

it("names the prompt that no rule is for, if the scenario does not say what to answer", () => {
  expect(choose({ rules: [] }, [user("hello")]).answer).toEqual({
    text: "No rule is for: hello",
  });
});

it("answers a conversation without a prompt", () => {
  expect(choose({ rules: [] }, [user(reminder)]).answer).toEqual({
    text: "There is no prompt.",
  });
});
