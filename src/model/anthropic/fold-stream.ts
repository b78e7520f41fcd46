import type {
  RawContentBlockDelta,
  RawContentBlockStartEvent,
  RawMessageStreamEvent,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { redactedMark, type Usage } from "../../sessions/entry.ts";
import type { Fold, Told } from "../make-model.ts";
import { parseCallInput, type ReplyEnd, type ReplyPart } from "../model.ts";

/** A block that grows; what is not known has no text. */
interface Block {
  readonly type: "text" | "thinking" | "tool_use" | "other";
  readonly text: string;
  readonly signature: string;
  readonly call: string;
  readonly name: string;
}

/** What has come of an answer. */
export interface Folded {
  readonly model: string;
  readonly blocks: ReadonlyMap<number, Block>;
  readonly usage: Usage;
  readonly stopReason: string | null;
  readonly isOver: boolean;
}

/** Puts the events of the Messages API together. What is of a kind that nobody asked for is passed over. */
export const foldStream: Fold<RawMessageStreamEvent, Folded> = {
  begin: { model: "", blocks: new Map(), usage: {}, stopReason: null, isOver: false },
  take: (state, event) => {
    switch (event.type) {
      case "message_start": {
        const { model, usage } = event.message;
        return { state: { ...state, model, usage: toUsage(usage, state.usage) }, told: [] };
      }
      case "content_block_start":
        return begin(state, event);
      case "content_block_delta":
        return grow(state, event.index, event.delta);
      case "message_delta": {
        const stopReason = event.delta.stop_reason ?? state.stopReason;
        return { state: { ...state, stopReason, usage: toUsage(event.usage, state.usage) }, told: [] };
      }
      case "message_stop":
        return { state: { ...state, isOver: true }, told: [] };
      case "content_block_stop":
        return { state, told: [] };
      default:
        return { state, told: [] };
    }
  },
  finish: ({ model, blocks, usage, stopReason, isOver }) => {
    if (!isOver && stopReason === null) return undefined;
    const parts = [...blocks.values()].flatMap(toPart);
    return { parts, end: toEnd(stopReason, parts), model, usage };
  },
};

function begin(state: Folded, { index, content_block }: RawContentBlockStartEvent) {
  const block = toBlock(content_block);
  const grown = { ...state, blocks: new Map(state.blocks).set(index, block) };
  const told: Told[] =
    block.type === "tool_use" ? [{ type: "call", name: block.name }] : tell(block.type, block.text);
  return { state: grown, told };
}

function toBlock(block: RawContentBlockStartEvent["content_block"]): Block {
  const empty = { text: "", signature: "", call: "", name: "" };
  switch (block.type) {
    case "text":
      return { ...empty, type: "text", text: block.text };
    case "thinking":
      return { ...empty, type: "thinking", text: block.thinking, signature: block.signature };
    case "redacted_thinking":
      return { ...empty, type: "thinking", signature: `${redactedMark}${block.data}` };
    case "tool_use":
      return { ...empty, type: "tool_use", call: block.id, name: block.name, text: inputAtOnce(block.input) };
    default:
      return { ...empty, type: "other" };
  }
}

/** The API sends the input in pieces, after an empty one; other servers send it with the block. */
function inputAtOnce(input: unknown): string {
  const isEmpty = typeof input !== "object" || input === null || Object.keys(input).length === 0;
  return isEmpty ? "" : JSON.stringify(input);
}

function grow(state: Folded, index: number, delta: RawContentBlockDelta) {
  const block = state.blocks.get(index);
  if (block === undefined) return { state, told: [] };
  const blocks = new Map(state.blocks).set(index, growBlock(block, delta));
  return { state: { ...state, blocks }, told: tellDelta(delta) };
}

function growBlock(block: Block, delta: RawContentBlockDelta): Block {
  switch (delta.type) {
    case "text_delta":
      return { ...block, text: block.text + delta.text };
    case "thinking_delta":
      return { ...block, text: block.text + delta.thinking };
    case "signature_delta":
      return { ...block, signature: block.signature + delta.signature };
    case "input_json_delta":
      return { ...block, text: block.text + delta.partial_json };
    default:
      return block;
  }
}

function tellDelta(delta: RawContentBlockDelta): Told[] {
  if (delta.type === "text_delta") return tell("text", delta.text);
  return delta.type === "thinking_delta" ? tell("thinking", delta.thinking) : [];
}

function tell(type: Block["type"], text: string): Told[] {
  return text !== "" && (type === "text" || type === "thinking") ? [{ type, text }] : [];
}

function toPart({ type, text, signature, call, name }: Block): ReplyPart[] {
  switch (type) {
    case "text":
      return text === "" ? [] : [{ type, text }];
    case "thinking":
      if (signature !== "") return [{ type, text, signature }];
      return text === "" ? [] : [{ type, text }];
    case "tool_use":
      return [{ type: "tool-call", call, name, input: parseCallInput(text) }];
    case "other":
      return [];
  }
}

function toEnd(stopReason: string | null, parts: readonly ReplyPart[]): ReplyEnd {
  if (stopReason === "max_tokens" || stopReason === "model_context_window_exceeded") return "length";
  if (stopReason === "refusal") return "refused";
  return parts.some(({ type }) => type === "tool-call") ? "calls" : "done";
}

interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** The numbers grow while the answer comes; what an event leaves out stays as it was. */
function toUsage(wire: WireUsage, before: Usage): Usage {
  const told = {
    inputTokens: wire.input_tokens,
    outputTokens: wire.output_tokens,
    cacheReadTokens: wire.cache_read_input_tokens,
    cacheWriteTokens: wire.cache_creation_input_tokens,
  };
  return {
    ...before,
    ...Object.fromEntries(Object.entries(told).filter(([, count]) => typeof count === "number")),
  };
}
