import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../is-record.ts";
import { checkConversation } from "./check-conversation.ts";
import { checkShape } from "./check-shape.ts";
import type { MessagesRequest } from "./wire.ts";

/** Why a request is not answered. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

/** A request that the API would take, or why it would not. */
export type Checked = { readonly request: MessagesRequest } | { readonly refusal: Refusal };

/**
 * Checks a request as the real API does, and returns the first thing that it would refuse.
 *
 * `counting` is for count_tokens, which needs no limit of tokens.
 */
export function checkRequest(
  headers: IncomingHttpHeaders,
  source: string,
  { counting = false }: { readonly counting?: boolean } = {},
): Checked {
  if (headers["x-api-key"] === undefined && headers.authorization === undefined) {
    return refuse(401, "authentication_error", "x-api-key header is required");
  }
  if (headers["anthropic-version"] === undefined) return invalid("anthropic-version: header is required");
  let body: unknown;
  try {
    body = JSON.parse(source);
  } catch (error) {
    return invalid(`The request body is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isRecord(body)) return invalid("Input should be a valid dictionary or object to extract fields from");
  const complaint = firstComplaint(counting ? { max_tokens: 1, ...body } : body);
  return complaint === undefined ? { request: body as unknown as MessagesRequest } : invalid(complaint);
}

function firstComplaint(body: Readonly<Record<string, unknown>>): string | undefined {
  const [shape] = checkShape(body);
  if (shape !== undefined) return shape;
  const [complaint] = checkConversation((body as unknown as MessagesRequest).messages);
  return complaint;
}

function invalid(message: string): Checked {
  return refuse(400, "invalid_request_error", message);
}

function refuse(status: number, type: string, message: string): Checked {
  return { refusal: { status, type, message } };
}
