/** A block of content as the Messages API carries it. */
export interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly Block[];
  /** Only entries of the role `system` may have one. */
  readonly output_config?: unknown;
}

/** A request as far as an answer depends on it. Only a request that passed `checkRequest` has this shape. */
export interface MessagesRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly WireMessage[];
  readonly system?: string | readonly Block[];
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly tool_choice?: { readonly type: string };
  readonly thinking?: { readonly type: string; readonly display?: string };
}

interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

/** An answer as the API gives it when nothing is streamed. */
export interface AnswerMessage {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly Block[];
  readonly stop_reason: "end_turn" | "tool_use" | "max_tokens" | "refusal";
  readonly stop_sequence: null;
  readonly usage: Usage;
}

/** An error as the API gives it. */
export interface ErrorBody {
  readonly type: "error";
  readonly error: { readonly type: string; readonly message: string };
  readonly request_id: string;
}

/** Returns content as blocks, in which form a string is one block of text. */
export function blocksOf(content: string | readonly Block[]): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
