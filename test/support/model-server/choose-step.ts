import type { Scenario, Step } from "./scenario.ts";
import { type Turn, toTurns } from "./turns.ts";
import type { MessagesRequest } from "./wire.ts";

/** Which part of the scenario answers a request. */
export interface Choice {
  /** The text that the rule is for, or undefined if no rule is. */
  readonly rule: string | undefined;
  /** How many turns the model has had since the prompt. */
  readonly step: number;
  readonly answer: Step;
}

type Rule = Scenario["rules"][number];

/**
 * Chooses the answer to a request. Pure: the last prompt selects the rule, the number of turns that the model has
 * had since then selects the step.
 *
 * A user turn that holds tool results is part of the model's loop, so the text beside them (the text of a skill, for
 * one) is a prompt only if a rule is for it. Reminders of the client are no prompts.
 */
export function chooseStep(scenario: Scenario, request: MessagesRequest): Choice {
  const turns = toTurns(request.messages);
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const prompt = promptOf(turns[index]);
    if (prompt === undefined) continue;
    const rule = scenario.rules.find(({ when }) => prompt.text.includes(when));
    if (rule === undefined && prompt.besideResults) continue;
    const step = turns.slice(index).filter(({ role }) => role === "assistant").length;
    return { rule: rule?.when, step, answer: answerOf(scenario, rule, step, prompt.text) };
  }
  return { rule: undefined, step: 0, answer: scenario.otherwise ?? { text: "There is no prompt." } };
}

interface Prompt {
  readonly text: string;
  readonly besideResults: boolean;
}

/** Returns what a person says with a user turn, which is its last text. */
function promptOf(turn: Turn | undefined): Prompt | undefined {
  if (turn?.role !== "user") return undefined;
  const text = turn.blocks
    .map(({ block }) => (block.type === "text" ? String(block.text) : ""))
    .map((each) => each.replace(/<system-reminder>.*?<\/system-reminder>/gs, "").trim())
    .findLast((each) => each !== "");
  if (text === undefined) return undefined;
  return { text, besideResults: turn.blocks.some(({ block }) => block.type === "tool_result") };
}

function answerOf({ otherwise }: Scenario, rule: Rule | undefined, step: number, prompt: string): Step {
  if (rule === undefined) return otherwise ?? { text: `No rule is for: ${prompt.slice(0, 80)}` };
  return rule.steps[step] ?? { text: "The script has ended." };
}
