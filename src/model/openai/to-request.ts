import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
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

/** How much a model is told to think; of `unsaid` it decides itself. */
type Effort = "none" | "low" | "medium" | "high" | "unsaid";

/** What a server has refused: an effort, with tools or without. */
type RefusedEffort = `${Effort} ${"with" | "without"} tools`;

/**
 * Chooses how much a model is told to think, beside what was refused; undefined when nothing is left.
 *
 * The protocol knows no tokens of thinking. Many servers do not know this setting, and OpenAI's newer models call tools
 * here only when they do not think.
 */
export function chooseEffort(
  request: ModelRequest,
  traits: OpenaiTraits,
  refused: ReadonlySet<RefusedEffort>,
): Effort | undefined {
  const candidates = [
    firstChoice(request, traits),
    "unsaid",
    ...(hasTools(request) ? ["none"] : []),
  ] as Effort[];
  return candidates.find((effort) => !refused.has(toRefused(request, effort)));
}

export function toRefused(request: ModelRequest, effort: Effort): RefusedEffort {
  return `${effort} ${hasTools(request) ? "with" : "without"} tools`;
}

function firstChoice(request: ModelRequest, { callsWithoutThinking }: OpenaiTraits): Effort {
  const { thinkingTokens } = request;
  if (callsWithoutThinking && hasTools(request)) return "none";
  if (thinkingTokens === undefined) return "unsaid";
  if (thinkingTokens < 4096) return "low";
  return thinkingTokens < 16_384 ? "medium" : "high";
}

function hasTools({ tools = [] }: ModelRequest): boolean {
  return tools.length > 0;
}

/** What a request must know of a model. */
export interface OpenaiTraits {
  readonly contextTokens: number;
  /** Whether it is one of OpenAI's own that thinks before it answers; they have other words for some settings. */
  readonly isReasoning: boolean;
  /** Whether it calls tools only when it is told not to think. */
  readonly callsWithoutThinking: boolean;
}

/** By the beginning of the name; the first one that fits. */
const known: readonly (readonly [prefix: RegExp, contextTokens: number])[] = [
  [/^gpt-(5\.[4-9]|[6-9])/, 1_050_000],
  [/^gpt-5(\.\d)?-chat/, 128_000],
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^o\d/, 200_000],
  [/^gpt-4(-0|-32k|$)/, 8192],
  [/^gpt-3/, 16_385],
];

/** Says what is known of a model by its name; of a server of somebody else only what is most common. */
export function openaiTraits(model: string): OpenaiTraits {
  const contextTokens = known.find(([prefix]) => prefix.test(model))?.[1] ?? 128_000;
  return {
    contextTokens,
    isReasoning: /^(o\d|gpt-[5-9])/.test(model),
    callsWithoutThinking: /^gpt-(5\.[4-9]|[6-9])/.test(model),
  };
}

/** What is left out of a request, because the server refused it. */
export interface Omissions {
  readonly efforts: ReadonlySet<RefusedEffort>;
  /** Whether a tool is asked for in words rather than forced. */
  readonly force: boolean;
  /** Whether the server is not asked to count tokens in its stream. */
  readonly usage: boolean;
}

/** What is left out before anything was refused. */
export const nothing: Omissions = { efforts: new Set(), force: false, usage: false };

/** Puts a request into the words of chat completions, using only what most servers that speak them know. Pure. */
export function toRequest(
  request: ModelRequest,
  model: string,
  traits: OpenaiTraits,
  omissions: Omissions,
): ChatCompletionCreateParamsStreaming {
  const { tools = [], mustCall, maxTokens } = request;
  const isForced = mustCall !== undefined && !omissions.force;
  const messages = toMessages(request);
  const effort = chooseEffort(request, traits, omissions.efforts) ?? "unsaid";
  const limit = traits.isReasoning ? "max_completion_tokens" : "max_tokens";
  return {
    model,
    stream: true,
    messages: mustCall === undefined || isForced ? messages : [...messages, askFor(mustCall)],
    ...(omissions.usage ? {} : { stream_options: { include_usage: true } }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, input }) => ({
            type: "function" as const,
            function: { name, description, parameters: { ...input } },
          })),
        }),
    ...(isForced ? { tool_choice: { type: "function", function: { name: mustCall } } } : {}),
    ...(effort === "unsaid" ? {} : { reasoning_effort: effort }),
    ...(maxTokens === undefined ? {} : { [limit]: maxTokens }),
  };
}

function toMessages({ system, messages }: ModelRequest): ChatCompletionMessageParam[] {
  const first: ChatCompletionMessageParam[] =
    system === undefined || system.trim() === "" ? [] : [{ role: "system", content: toWellFormed(system) }];
  return [...first, ...withPlainCallIds(messages).flatMap(toMessage)];
}

function toMessage(message: ModelMessage): ChatCompletionMessageParam[] {
  switch (message.role) {
    case "user": {
      const content = joinTexts(message.parts);
      return content === "" ? [] : [{ role: "user", content }];
    }
    case "tool":
      return message.parts.map(({ call, output, failed }) => ({
        role: "tool",
        tool_call_id: call,
        content: describeOutput(toOutputText(output), failed === true ? "failed" : "done"),
      }));
    case "assistant":
      return toAssistant(message.parts);
  }
}

/** The protocol has no mark for a call that failed, and some servers take no empty result. */
function describeOutput(output: string, outcome: "failed" | "done"): string {
  if (outcome === "failed") return `It failed: ${output}`;
  return output === "" ? "(no output)" : output;
}

/** What the model thought is not sent: the protocol has no place for it. */
function toAssistant(parts: readonly ReplyPart[]): ChatCompletionAssistantMessageParam[] {
  const content = joinTexts(parts);
  const calls = parts.flatMap(toCall);
  if (calls.length > 0) return [{ role: "assistant", content: content || null, tool_calls: calls }];
  return content === "" ? [] : [{ role: "assistant", content }];
}

function toCall(part: ReplyPart): ChatCompletionMessageFunctionToolCall[] {
  if (part.type !== "tool-call") return [];
  const input = JSON.stringify(toWellFormedJson(toObjectInput(part.input)));
  return [{ id: part.call, type: "function", function: { name: toPlainName(part.name), arguments: input } }];
}

function joinTexts(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  const texts = parts.flatMap(({ type, text = "" }) => (type === "text" && text.trim() !== "" ? [text] : []));
  return toWellFormed(texts.join("\n\n"));
}

function askFor(tool: string): ChatCompletionMessageParam {
  return { role: "user", content: `Answer by calling the tool ${tool} once, and with nothing else.` };
}
