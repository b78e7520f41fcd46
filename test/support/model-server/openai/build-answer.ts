import { countTokens } from "../count-tokens.ts";
import { hash } from "../hash.ts";
import type { Step } from "../scenario.ts";
import type { ChatAnswer, ChatAnswerMessage, ChatCall, ChatRequest, ChatUsage } from "./wire.ts";

/** Turns a step into the answer to a request. Pure: the same request gets the same ids. */
export function buildAnswer(step: Step, request: ChatRequest): ChatAnswer {
  const id = hash(JSON.stringify(request));
  const message = messageOfStep(step, request, id);
  return {
    id: `chatcmpl-${id}`,
    object: "chat.completion",
    // A moment that never changes, so that an answer depends on nothing but the request.
    created: 1_700_000_000,
    model: request.model,
    system_fingerprint: "fp_scripted",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(step, message) }],
    usage: usageOf(step, request, message),
  };
}

function finishReason(
  { end }: Step,
  { tool_calls }: ChatAnswerMessage,
): ChatAnswer["choices"][0]["finish_reason"] {
  if (end !== undefined) return end === "length" ? "length" : "content_filter";
  return tool_calls === undefined ? "stop" : "tool_calls";
}

function messageOfStep(step: Step, request: ChatRequest, id: string): ChatAnswerMessage {
  const { thinking, text } = step;
  const calls: readonly ChatCall[] = (mayCall(request) ? (step.calls ?? []) : []).map(
    ({ tool, input }, index) => ({
      id: `call_${hash(`${id} ${index}`)}`,
      type: "function",
      function: { name: tool, arguments: JSON.stringify(input) },
    }),
  );
  const isSilent = text === undefined && calls.length === 0;
  return {
    role: "assistant",
    content: isSilent ? "There is nothing to say." : (text ?? null),
    refusal: null,
    ...(thinking !== undefined && mayThink(request) ? { reasoning_content: thinking } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** The scenario counts as Anthropic does, whose input leaves out what came from the cache or went into it. */
function usageOf({ usage }: Step, request: ChatRequest, message: ChatAnswerMessage): ChatUsage {
  const cached = usage?.cache_read_input_tokens ?? 0;
  const fresh = usage?.input_tokens ?? countTokens(request);
  const prompt = fresh + cached + (usage?.cache_creation_input_tokens ?? 0);
  const completion = usage?.output_tokens ?? countTokens(message);
  const reasoning = message.reasoning_content === undefined ? 0 : countTokens(message.reasoning_content);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: Math.min(reasoning, completion) },
  };
}

function mayCall({ tools, tool_choice }: ChatRequest): boolean {
  return tools !== undefined && tool_choice !== "none";
}

function mayThink({ reasoning_effort: effort }: ChatRequest): boolean {
  return effort !== undefined && effort !== null && effort !== "none";
}
