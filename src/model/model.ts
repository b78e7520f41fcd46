import { isDeeperThan, parseIfJson } from "../lib/json.ts";
import {
  type Json,
  type JsonObject,
  maxDepth,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
  type Usage,
} from "../sessions/entry.ts";

/** One message as a model is given it. Roles take turns, every call is answered by the message after it, none is empty. */
export type ModelMessage =
  | { readonly role: "user"; readonly parts: readonly TextPart[] }
  | { readonly role: "assistant"; readonly parts: readonly ReplyPart[] }
  | { readonly role: "tool"; readonly parts: readonly ToolResultPart[] };

export type ReplyPart = TextPart | ThinkingPart | ToolCallPart;

/** What a model is told of a tool that it may call. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type object. */
  readonly input: JsonObject;
}

export interface ModelRequest {
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ToolOffer[];
  /** The tool that must be called, for an answer of a known form; the model chooses unless given. */
  readonly mustCall?: string;
  /** How many tokens it may think; it does not think unless given, or where the provider cannot. */
  readonly thinkingTokens?: number;
  /** The most tokens of the reply; the provider's own limit for the model unless given. */
  readonly maxTokens?: number;
}

/** Why a reply ended. `length` is the limit of tokens: the reply may stop in the middle of a sentence. */
export type ReplyEnd = "done" | "calls" | "length" | "refused";

/** A whole reply. */
export interface ModelReply {
  readonly parts: readonly ReplyPart[];
  readonly end: ReplyEnd;
  /** As the provider calls the model that answered. */
  readonly model: string;
  readonly usage: Usage;
}

/** What is told to people while a reply is made. */
export type ReplyEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  /** The provider cannot answer now and is asked again after a wait; nothing of the reply has been told yet. */
  | {
      readonly type: "retry";
      readonly reason: string;
      readonly waitMs: number;
      /** The attempt that comes next, from 2 on, and how many there are at most. */
      readonly attempt: number;
      readonly attempts: number;
    };

/** What happens while a reply is made. The last event is the whole reply; where that is missing, an error was thrown. */
export type ModelEvent =
  | ReplyEvent
  /** A call has begun; its input is in the reply. */
  | { readonly type: "call"; readonly name: string }
  | { readonly type: "reply"; readonly reply: ModelReply };

/**
 * A language model.
 *
 * Every provider passes `test/contract/model.ts`, over the real SDK and a scripted server.
 */
export interface Model {
  /** As a user names it: `anthropic/claude-sonnet-5-5`. */
  readonly name: string;
  /** How many tokens a request and its reply may have together. */
  readonly contextTokens: number;
  /** Loads what the first request needs, so that it is answered sooner; need not be called. */
  prepare?(): Promise<void>;
  /** Streams the reply to a request. An aborted signal ends it at once with the signal's reason. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/**
 * Reads the arguments of a call as a model wrote them.
 *
 * What is no JSON object, such as arguments that were cut off, becomes an input that says so: the tool refuses it, and
 * the model is told.
 */
export function parseCallInput(text: string): JsonObject {
  if (text.trim() === "") return {};
  const value = parseIfJson(text);
  if (isObject(value) && !isDeeperThan(value, maxDepth - 8)) return value;
  return { error: "These arguments are not a JSON object.", arguments: text };
}

/** Returns the input of a recorded call as an object, which is all that a provider takes. */
export function toObjectInput(input: Json): JsonObject {
  return isObject(input) ? input : { value: input };
}

/** Returns the output of a tool as text. */
export function toOutputText(output: Json): string {
  return toWellFormed(typeof output === "string" ? output : JSON.stringify(output));
}

/** Replaces halves of characters, which a cut has left and no provider takes. */
export function toWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Does the same in all texts of a value. */
export function toWellFormedJson<Value extends Json>(value: Value): Value {
  const text = JSON.stringify(value);
  // Halves of characters are written as escapes; most values have none.
  if (!/\\ud[89a-f]/.test(text)) return value;
  return JSON.parse(text, (_name, each) => (typeof each === "string" ? toWellFormed(each) : each));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a provider takes for the id of a call: letters, digits, `_` and `-`, and so many of them. */
const longestId = 40;

/**
 * Returns the messages with ids of calls that every provider takes, each used once.
 *
 * A conversation may have begun with another provider: some of them count `call_0`, `call_1` anew in each reply, or put
 * the name of the function into the id. The same messages get the same ids, so that what a provider has cached still fits.
 */
export function withPlainCallIds(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const used = new Set<string>();
  let current = new Map<string, string>();
  const choose = (id: string): string => {
    const plain = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, longestId) || "call";
    let chosen = plain;
    for (let count = 2; used.has(chosen); count += 1) {
      const suffix = `_${count}`;
      chosen = `${plain.slice(0, longestId - suffix.length)}${suffix}`;
    }
    used.add(chosen);
    return chosen;
  };
  return messages.map((message) => {
    if (message.role === "assistant") {
      current = new Map();
      const parts = message.parts.map((part) => {
        if (part.type !== "tool-call") return part;
        const call = choose(part.call);
        current.set(part.call, call);
        return { ...part, call };
      });
      return { ...message, parts };
    }
    if (message.role === "user") return message;
    return {
      ...message,
      parts: message.parts.map((part) => ({ ...part, call: current.get(part.call) ?? part.call })),
    };
  });
}

/** Returns the name of a tool as every provider takes it: a model may have called one that there is not. */
export function toPlainName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unknown";
}
