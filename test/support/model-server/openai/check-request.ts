import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../is-record.ts";
import { checkConversation } from "./check-conversation.ts";
import { checkShape } from "./check-shape.ts";
import { invalid } from "./complaints.ts";
import type { ChatRequest, Complaint } from "./wire.ts";

/** A request that the API would take, or why it would not. */
export type Checked =
  | { readonly request: ChatRequest }
  | { readonly refusal: Complaint & { readonly status: number } };

const noKey =
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. You can obtain an API key from https://platform.openai.com/account/api-keys.";
const noJson =
  "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)";

/** Returns why the API would not let a client in, which needs a key of any kind. */
export function checkKey({ authorization }: IncomingHttpHeaders): Complaint | undefined {
  return /^Bearer \S+$/.test(authorization ?? "") ? undefined : invalid(noKey, null);
}

/** Checks a request as the real API does, and returns the first thing that it would refuse. */
export function checkRequest(headers: IncomingHttpHeaders, source: string): Checked {
  const locked = checkKey(headers);
  if (locked !== undefined) return { refusal: { status: 401, ...locked } };
  let body: unknown;
  try {
    body = JSON.parse(source);
  } catch {
    // The API does not say where the JSON goes wrong.
    return { refusal: { status: 400, ...invalid(noJson, null) } };
  }
  const complaint = isRecord(body) ? firstComplaint(body) : invalid(noJson, null);
  if (complaint !== undefined) return { refusal: { status: 400, ...complaint } };
  return { request: body as unknown as ChatRequest };
}

function firstComplaint(body: Readonly<Record<string, unknown>>): Complaint | undefined {
  const [shape] = checkShape(body);
  if (shape !== undefined) return shape;
  const [complaint] = checkConversation((body as unknown as ChatRequest).messages);
  return complaint;
}
