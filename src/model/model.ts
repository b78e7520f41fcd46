import type {
  JsonObject,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
  Usage,
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
