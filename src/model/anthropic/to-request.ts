import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { redactedMark, type TextPart, type ThinkingPart, type ToolResultPart } from "../../sessions/entry.ts";
import {
  type ModelMessage,
  type ModelRequest,
  type ReplyPart,
  toObjectInput,
  toOutputText,
  toPlainName,
  toWellFormed,
  toWellFormedJson,
  withPlainCallIds,
} from "../model.ts";

/** What a request must know of a model. */
interface ClaudeTraits {
  readonly contextTokens: number;
  /** The most tokens that a reply of it may have. */
  readonly outputTokens: number;
  /** Whether it is told how much it may think, or decides that itself. */
  readonly thinks: "by-budget" | "as-it-sees-fit";
  /** What it is told when nobody wants it to think; nothing where it does not think unless told to. */
  readonly unasked: "nothing" | "disabled" | "between-tools" | "as-it-sees-fit";
  /** Whether it can be forced to call a tool. */
  readonly canBeForced: boolean;
}

/** A server of somebody else, or a model that came after this was written. */
const unknown: ClaudeTraits = {
  contextTokens: 200_000,
  outputTokens: 32_000,
  thinks: "by-budget",
  unasked: "nothing",
  canBeForced: true,
};

/**
 * Says what is known of a model by its name, such as `claude-haiku-4-5-20251001` or `claude-3-7-sonnet`.
 *
 * The API refuses what a model does not take: budgets of thinking from 4.7 on, a forced tool and thinking turned off on
 * some of those from 5.1 on.
 */
export function claudeTraits(model: string): ClaudeTraits {
  const [, family = "", major, minor = "0"] =
    /claude-(?:([a-z]+)-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  if (major === undefined)
    return model.includes("claude-") ? { ...unknown, thinks: "as-it-sees-fit" } : unknown;
  const version = Number(major) * 100 + Number(minor);
  if (version < 405) return unknown;
  if (version < 406) return { ...unknown, outputTokens: 64_000 };
  return {
    contextTokens: version < 407 ? 200_000 : 1_000_000,
    outputTokens: 128_000,
    thinks: "as-it-sees-fit",
    unasked: version < 500 ? "nothing" : unaskedOf(family, version),
    canBeForced: version <= 500 || family === "haiku",
  };
}

function unaskedOf(family: string, version: number): ClaudeTraits["unasked"] {
  if (family === "haiku") return "disabled";
  if (family === "sonnet") return version > 500 ? "between-tools" : "disabled";
  return family === "opus" && version === 500 ? "disabled" : "as-it-sees-fit";
}

/** What is left out of a request, because the server refused it. */
export interface Omissions {
  /** The signatures of thoughts that are not sent back. */
  readonly thoughts: ReadonlySet<string>;
  /** Whether a tool is asked for in words rather than forced. */
  readonly force: boolean;
  /** Whether nothing is said of thinking. */
  readonly thinking: boolean;
  /** The most tokens of a reply that the server allows, where it has said so. */
  readonly outputTokens: number | undefined;
}

/** What is left out before anything was refused. */
export const nothing: Omissions = {
  thoughts: new Set(),
  force: false,
  thinking: false,
  outputTokens: undefined,
};

/** A message whose content is never a text alone. */
interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlockParam[];
}

const cached = { type: "ephemeral" } as const;

/** The API wants at least so many tokens for a thought, and some left for what is said after it. */
const leastThinking = 1024;

/** Puts a request into the words of the Messages API. Pure. */
export function toRequest(
  request: ModelRequest,
  model: string,
  traits: ClaudeTraits,
  omissions: Omissions,
): MessageCreateParamsStreaming {
  const { system, tools = [], mustCall } = request;
  const max_tokens = Math.min(
    request.maxTokens ?? traits.outputTokens,
    omissions.outputTokens ?? Number.POSITIVE_INFINITY,
  );
  const isForced = mustCall !== undefined && traits.canBeForced && !omissions.force;
  const messages = markLast(toMessages(request.messages, omissions.thoughts));
  const thinking = omissions.thinking ? undefined : toThinking(request, traits, messages, max_tokens);
  return {
    model,
    max_tokens,
    stream: true,
    messages: mustCall === undefined || isForced ? messages : askFor(mustCall, messages),
    ...(system === undefined || system.trim() === "" ? {} : { system: [toSystem(system)] }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, input }) => ({
            name,
            description,
            input_schema: input as Tool.InputSchema,
          })),
        }),
    ...(isForced ? { tool_choice: { type: "tool", name: mustCall, disable_parallel_tool_use: true } } : {}),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

/** The mark covers the tools as well, which the API puts before it. */
function toSystem(system: string): TextBlockParam {
  return { type: "text", text: toWellFormed(system), cache_control: cached };
}

function toMessages(messages: readonly ModelMessage[], omitted: ReadonlySet<string>): WireMessage[] {
  return withPlainCallIds(messages)
    .map((message) => toMessage(message, omitted))
    .filter(({ content }) => content.length > 0);
}

function toMessage(message: ModelMessage, omitted: ReadonlySet<string>): WireMessage {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.parts.flatMap(toText) };
    case "tool":
      return { role: "user", content: message.parts.map(toResult) };
    case "assistant":
      return {
        role: "assistant",
        content: endWithWords(message.parts.flatMap((part) => toBlock(part, omitted))),
      };
  }
}

/** The API takes no text that is blank. */
function toText({ text }: TextPart): TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text: toWellFormed(text) }];
}

function toResult({ call, output, failed }: ToolResultPart): ToolResultBlockParam {
  const content = toOutputText(output);
  if (failed !== true) return { type: "tool_result", tool_use_id: call, content };
  return { type: "tool_result", tool_use_id: call, content: content || "It failed.", is_error: true };
}

function toBlock(part: ReplyPart, omitted: ReadonlySet<string>): ContentBlockParam[] {
  switch (part.type) {
    case "text":
      return toText(part);
    case "thinking":
      return toThought(part, omitted);
    case "tool-call":
      return [
        {
          type: "tool_use",
          id: part.call,
          name: toPlainName(part.name),
          input: toWellFormedJson(toObjectInput(part.input)),
        },
      ];
  }
}

/** A reply that was stopped may end with a thought, which the API does not take. */
function endWithWords(blocks: ContentBlockParam[]): ContentBlockParam[] {
  return blocks.slice(0, blocks.findLastIndex(({ type }) => !isThought(type)) + 1);
}

function isThought(type: string | undefined): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** A thought goes back as it came, or not at all: without its signature it is not taken. */
function toThought({ text, signature }: ThinkingPart, omitted: ReadonlySet<string>): ContentBlockParam[] {
  if (signature === undefined || signature === "" || omitted.has(signature)) return [];
  if (signature.startsWith(redactedMark)) {
    return [{ type: "redacted_thinking", data: signature.slice(redactedMark.length) }];
  }
  return [{ type: "thinking", thinking: text, signature }];
}

/**
 * Marks where the API may keep what it has read: after the last two messages of the user.
 *
 * The last mark is for the next request, the one before it finds what the last request has left.
 */
function markLast(messages: WireMessage[]): WireMessage[] {
  const marked = new Set(messages.filter(({ role }) => role === "user").slice(-2));
  return messages.map((message) =>
    marked.has(message) ? { ...message, content: markEnd(message) } : message,
  );
}

function markEnd({ content }: WireMessage): ContentBlockParam[] {
  return content.map((block, index) =>
    index === content.length - 1 ? ({ ...block, cache_control: cached } as ContentBlockParam) : block,
  );
}

/** A model that cannot be forced is told at the end, where that changes nothing of what was said before. */
function askFor(tool: string, messages: WireMessage[]): WireMessage[] {
  const text = `Answer by calling the tool ${tool} once, and with nothing else.`;
  return [...messages, { role: "user", content: [{ type: "text", text }] }];
}

function toThinking(
  { thinkingTokens, mustCall }: ModelRequest,
  traits: ClaudeTraits,
  messages: readonly WireMessage[],
  limit: number,
): ThinkingConfigParam | undefined {
  // A model that thinks cannot be forced to call a tool.
  if (thinkingTokens === undefined || (mustCall !== undefined && traits.canBeForced))
    return toUnasked(traits);
  if (traits.thinks === "as-it-sees-fit") return { type: "adaptive", display: "summarized" };
  const budget = Math.min(Math.max(thinkingTokens, leastThinking), limit - leastThinking);
  if (budget < leastThinking || isAmongCalls(messages)) return undefined;
  return { type: "enabled", budget_tokens: budget };
}

function toUnasked({ unasked }: ClaudeTraits): ThinkingConfigParam | undefined {
  switch (unasked) {
    case "nothing":
      return undefined;
    case "disabled":
      return { type: "disabled" };
    case "between-tools":
      return { type: "between_tools" };
    // Without words of its thinking, nothing would be seen of what it says between two calls.
    case "as-it-sees-fit":
      return { type: "adaptive", display: "summarized" };
  }
}

/** With a budget, a turn that has begun without a thought cannot go on with one. */
function isAmongCalls(messages: readonly WireMessage[]): boolean {
  const [before, last] = messages.slice(-2);
  if (before?.role !== "assistant" || last?.role !== "user") return false;
  const { content: blocks } = before;
  const hasCalls = blocks.some(({ type }) => type === "tool_use");
  return hasCalls && !isThought(blocks[0]?.type);
}
