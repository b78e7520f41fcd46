/** A part of a message's content, where that is a list. */
interface ChatPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface ChatCall {
  readonly id: string;
  readonly type: "function";
  /** The arguments are JSON text. */
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly ChatPart[] | null;
  /** Only messages of the assistant have any. */
  readonly tool_calls?: readonly ChatCall[];
  /** Only messages of the role `tool` have one. */
  readonly tool_call_id?: string;
}

/** A request as far as an answer depends on it. Only a request that passed `checkRequest` has this shape. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: string | { readonly type: string };
  readonly reasoning_effort?: string | null;
}

export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

export interface ChatAnswerMessage {
  readonly role: "assistant";
  readonly content: string | null;
  readonly refusal: null;
  /** Not of OpenAI, but of many that speak its protocol. */
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ChatCall[];
}

/** An answer as the API gives it when nothing is streamed. */
export interface ChatAnswer {
  readonly id: string;
  readonly object: "chat.completion";
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
  readonly choices: readonly [
    {
      readonly index: 0;
      readonly message: ChatAnswerMessage;
      readonly logprobs: null;
      readonly finish_reason: "stop" | "tool_calls" | "length" | "content_filter";
    },
  ];
  readonly usage: ChatUsage;
}

/** What is wrong with a request, in the words of the API. */
export interface Complaint {
  readonly message: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** An error as the API gives it. */
export interface ChatErrorBody {
  readonly error: Complaint & { readonly type: string };
}

/** Returns what a message says as one text. */
export function textOf({ content }: ChatMessage): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  return content.flatMap(({ type, text }) => (type === "text" ? [String(text)] : [])).join("\n");
}
