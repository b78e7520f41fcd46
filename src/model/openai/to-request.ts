import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { toPlainName, withPlainCallIds } from "../call-ids.ts";
import { toObjectInput, toOutputText, toWellFormed, toWellFormedJson } from "../call-input.ts";
import type { ModelMessage, ModelRequest, ReplyPart } from "../model.ts";
import { chooseEffort, type RefusedEffort } from "./choose-effort.ts";
import type { OpenaiTraits } from "./openai-traits.ts";

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
