import { receiveMessages } from "./anthropic/protocol.ts";
import type { Attempts } from "./attempts.ts";
import { type Choice, chooseStep } from "./choose-step.ts";
import type { Conversation } from "./conversation.ts";
import { isForChat, receiveChat } from "./openai/protocol.ts";
import { type Answer, type Arrival, middle, type Received, type ScriptedError } from "./protocol.ts";
import type { Scenario, Step } from "./scenario.ts";

/** How a request is answered. */
export interface Decision {
  /** The text that the rule which answers is for, and its step from 0 on; undefined if no rule was asked. */
  readonly rule: string | undefined;
  readonly step: number | undefined;
  /** Why the request is not what the API takes. */
  readonly refusal: string | undefined;
  /** How the step fails this time. */
  readonly failure: Failure["type"] | undefined;
  readonly answer: Answer;
  readonly manner: Manner;
}

/** How an answer is sent. */
export interface Manner extends Pick<Step, "delay" | "stall" | "pace"> {
  /** What becomes of the connection, and when. */
  readonly cut?: Cut | undefined;
}

interface Cut {
  readonly type: "drop" | "hang";
  readonly at: "start" | "middle";
}

/** What a step does instead of what it says; so often, or always if that is not said. */
type Failure = { readonly times?: number } & (
  | Cut
  | { readonly type: "error"; readonly error: ScriptedError }
);

/**
 * Decides the answer to a request: by the scenario and this request alone, but for steps that fail so often and then
 * succeed.
 */
export function decide(scenario: Scenario, arrival: Arrival, attempts: Attempts): Decision {
  const received = isForChat(arrival) ? receiveChat(arrival) : receiveMessages(arrival);
  if (received.type === "answered") {
    const { answer, refusal } = received;
    return { rule: undefined, step: undefined, refusal, failure: undefined, answer, manner: {} };
  }
  const choice = chooseStep(scenario, received.conversation);
  const { rule, step, answer: said } = choice;
  const failure = failureOf(choice, received.conversation, attempts);
  const { delay, stall, pace } = said;
  return {
    rule,
    step,
    refusal: undefined,
    failure: failure?.type,
    answer: failure?.type === "error" ? failWith(failure.error, said, received) : received.say(said),
    manner: { delay, stall, pace, cut: failure?.type === "error" ? undefined : failure },
  };
}

/** Returns how a step fails, unless it did so often enough in this conversation. */
function failureOf(
  { rule, step, answer }: Choice,
  { turns }: Conversation,
  attempts: Attempts,
): Failure | undefined {
  const failure = failureIn(answer);
  if (failure?.times === undefined) return failure;
  return attempts.next(JSON.stringify([rule, step, turns])) < failure.times ? failure : undefined;
}

function failureIn({ error, drop, hang }: Step): Failure | undefined {
  if (error !== undefined) {
    const { times } = error;
    return { type: "error", error, ...(times === undefined ? {} : { times }) };
  }
  if (drop !== undefined) return { type: "drop", ...drop };
  return hang === undefined ? undefined : { type: "hang", ...hang };
}

/** Answers with an error: at once, or after half of what the step says. */
function failWith(error: ScriptedError, step: Step, received: Received & { type: "asked" }): Answer {
  const { frames: told = [], ...failed } = received.fail(error);
  if (error.at === "middle") {
    const { frames, ...said } = received.say(step);
    if (frames !== undefined)
      return { ...said, frames: [...frames.slice(0, frames.indexOf(middle)), ...told] };
  }
  return { ...failed, headers: { ...failed.headers, ...retryHeaders(error) } };
}

function retryHeaders({ retryAfter, retryAfterMs }: ScriptedError): Readonly<Record<string, string>> {
  return {
    ...(retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` }),
    ...(retryAfterMs === undefined ? {} : { "retry-after-ms": `${retryAfterMs}` }),
  };
}
