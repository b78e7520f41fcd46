import type { Conversation, Turn } from "./conversation.ts";
import { fillInAll } from "./fill-in.ts";
import { longText } from "./long-text.ts";
import type { Rule, Scenario, Step } from "./scenario.ts";

/** Which part of the scenario answers a conversation. */
export interface Choice {
  /** What the rule is for, by the first text that it names, or "story"; undefined if there is none. */
  readonly rule: string | undefined;
  /** How many turns the model has had since the prompt, or in a story since the beginning. */
  readonly step: number;
  readonly answer: Step;
}

/** What a person says with a turn. */
interface Prompt {
  readonly text: string;
  readonly besideResults: boolean;
  /** The turns that the model has had since. */
  readonly answers: number;
}

/** A rule that is for a prompt. */
interface Found {
  readonly rule: Rule;
  /** What follows the text in the prompt that the rule is for. */
  readonly rest: string;
}

/**
 * Chooses the answer to a conversation. Pure: the last prompt selects the rule, the number of turns that the model has
 * had selects the step.
 *
 * A user turn that holds tool results is part of the model's loop, so the text beside them (the text of a skill, for
 * one) is a prompt only if a rule is for it. Reminders of the client are no prompts.
 */
export function chooseStep(scenario: Scenario, conversation: Conversation): Choice {
  const all = countAnswers(conversation.turns);
  for (const prompt of promptsOf(conversation.turns)) {
    const found = findRule(scenario, conversation, prompt);
    if (found === undefined && prompt.besideResults) continue;
    const { rule, step, answer } = stepOf(scenario, found?.rule, { all, ...prompt });
    const values = new Map([
      ["prompt", prompt.text],
      ["rest", found?.rest ?? prompt.text],
      ["turn", `${all + 1}`],
    ]);
    return { rule, step, answer: spellOut(fillInAll(answer, (name) => values.get(name) ?? `{{${name}}}`)) };
  }
  return { rule: undefined, step: 0, answer: scenario.otherwise ?? { text: "There is no prompt." } };
}

/** Yields what persons said, the last prompt first; each is the last text of its turn. */
function* promptsOf(turns: readonly Turn[]): Generator<Prompt> {
  for (const [index, { role, texts, answersCalls }] of [...turns.entries()].reverse()) {
    if (role !== "user") continue;
    const text = texts
      .map((each) => each.replace(/<system-reminder>.*?<\/system-reminder>/gs, "").trim())
      .findLast((each) => each !== "");
    if (text === undefined) continue;
    yield { text, besideResults: answersCalls, answers: countAnswers(turns.slice(index)) };
  }
}

function countAnswers(turns: readonly Turn[]): number {
  return turns.filter(({ role }) => role === "assistant").length;
}

function findRule({ rules = [] }: Scenario, conversation: Conversation, prompt: Prompt): Found | undefined {
  for (const rule of rules) {
    const rest = matchRule(rule, conversation, prompt);
    if (rest !== undefined) return { rule, rest };
  }
  return undefined;
}

/** Returns what follows the text that a rule is for; undefined if it is not for this prompt. */
function matchRule(rule: Rule, { system, model }: Conversation, prompt: Prompt): string | undefined {
  if (!system.includes(rule.system ?? "") || !model.includes(rule.model ?? "")) return undefined;
  if (rule.when === undefined) return prompt.besideResults ? undefined : prompt.text;
  return [rule.when]
    .flat()
    .map((when) => restAfter(prompt.text, when))
    .find((rest) => rest !== undefined);
}

/** Returns what follows a text in the line of a prompt that holds it, whatever its case; undefined if none does. */
function restAfter(prompt: string, when: string): string | undefined {
  const pattern = when.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`${pattern}(.*)`, "iu").exec(prompt)?.[1]?.trim();
}

function stepOf(
  { story, otherwise }: Scenario,
  rule: Rule | undefined,
  { all, answers, text }: Prompt & { readonly all: number },
): Choice {
  const ended = { text: "The script has ended." };
  if (rule !== undefined) {
    const name = [rule.when ?? rule.system ?? rule.model].flat()[0];
    const step = rule.story === undefined ? answers : all;
    return { rule: name, step, answer: (rule.story ?? rule.steps)?.[step] ?? ended };
  }
  const told = story?.[all];
  if (told !== undefined) return { rule: "story", step: all, answer: told };
  const unknown = story === undefined ? { text: `No rule is for: ${text.slice(0, 80)}` } : ended;
  return { rule: undefined, step: answers, answer: otherwise ?? unknown };
}

/** Writes out what a step says in short. */
function spellOut(step: Step): Step {
  if (step.long === undefined) return step;
  return { ...step, text: [step.text ?? [], longText(step.long)].flat().join("\n\n") };
}
