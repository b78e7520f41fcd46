import { countTokens } from "../count-tokens.ts";
import { hash } from "../hash.ts";
import type { Step } from "../scenario.ts";
import { signThinking } from "./signature.ts";
import type { AnswerMessage, Block, MessagesRequest } from "./wire.ts";

/** Turns a step into the answer to a request. Pure: the same request gets the same ids. */
export function buildAnswer(step: Step, request: MessagesRequest): AnswerMessage {
  const id = hash(JSON.stringify(request));
  const content = blocksOfStep(step, request, id);
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content,
    stop_reason: stopReason(step, content),
    stop_sequence: null,
    usage: {
      input_tokens: countTokens(request),
      output_tokens: countTokens(content),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      ...step.usage,
    },
  };
}

function stopReason({ end }: Step, content: readonly Block[]): AnswerMessage["stop_reason"] {
  if (end !== undefined) return end === "length" ? "max_tokens" : "refusal";
  return content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
}

function blocksOfStep(step: Step, request: MessagesRequest, id: string): readonly Block[] {
  const { thinking, text } = step;
  const calls = mayCall(request) ? (step.calls ?? []) : [];
  const blocks: Block[] = [];
  if (thinking !== undefined && mayThink(request)) {
    const shown = request.thinking?.display === "omitted" ? "" : thinking;
    blocks.push({ type: "thinking", thinking: shown, signature: signThinking(thinking) });
  }
  if (text !== undefined) blocks.push({ type: "text", text });
  for (const [index, { tool, input }] of calls.entries()) {
    blocks.push({ type: "tool_use", id: `toolu_${hash(`${id} ${index}`)}`, name: tool, input });
  }
  const isSilent = text === undefined && calls.length === 0;
  return isSilent ? [...blocks, { type: "text", text: "There is nothing to say." }] : blocks;
}

function mayCall({ tools, tool_choice }: MessagesRequest): boolean {
  return tools !== undefined && tools.length > 0 && tool_choice?.type !== "none";
}

function mayThink({ thinking }: MessagesRequest): boolean {
  return thinking !== undefined && thinking.type !== "disabled";
}
