import { hash } from "../hash.ts";
import { cutOf } from "../pieces.ts";
import { type Answer, type Arrival, type Received, routeOf } from "../protocol.ts";
import type { Step } from "../scenario.ts";
import { buildAnswer } from "./build-answer.ts";
import { checkKey, checkRequest } from "./check-request.ts";
import { invalid } from "./complaints.ts";
import { toError } from "./errors.ts";
import { renderChunk, streamAnswer } from "./stream-answer.ts";
import { toConversation } from "./to-conversation.ts";
import type { ChatErrorBody, ChatRequest, Complaint } from "./wire.ts";

/** The one model that is listed; requests may name any. */
const models = {
  object: "list",
  data: [{ id: "scripted", object: "model", created: 1_700_000_000, owned_by: "carryon" }],
};

/** Tells whether a request is meant for this protocol. */
export function isForChat({ method, path, headers }: Arrival): boolean {
  if (/^(\/v1)?\/chat\/completions\b/.test(path)) return true;
  const isBare = headers["anthropic-version"] === undefined && headers["x-api-key"] === undefined;
  return isBare && method !== "HEAD" && !path.startsWith("/v1/messages");
}

/** Receives a request as the API of chat completions does. Pure. */
export function receiveChat(arrival: Arrival): Received {
  const { headers, source } = arrival;
  const route = routeOf(arrival).replace(" /v1/", " /");
  const refused = ({ status, ...complaint }: Complaint & { readonly status: number }): Received => {
    const { frames: _, ...whole } = refuse(source, status, { type: "invalid_request_error", ...complaint });
    return { type: "answered", answer: whole, refusal: complaint.message };
  };
  if (route === "GET /models") {
    const locked = checkKey(headers);
    if (locked !== undefined) return refused({ status: 401, ...locked });
    return { type: "answered", answer: answer(source, 200, models) };
  }
  if (route !== "POST /chat/completions") {
    return refused({ status: 404, ...invalid(`Invalid URL (${routeOf(arrival)})`, null) });
  }
  const checked = checkRequest(headers, source);
  if ("refusal" in checked) return refused(checked.refusal);
  const { request } = checked;
  return {
    type: "asked",
    conversation: toConversation(request),
    say: (step) => say(source, request, step),
    fail: (error) => refuse(source, error.status, toError(error)),
  };
}

function say(source: string, request: ChatRequest, step: Step): Answer {
  const body = buildAnswer(step, request);
  const whole = answer(source, 200, body);
  if (request.stream !== true) return whole;
  const withUsage = request.stream_options?.include_usage === true;
  return { ...whole, frames: [...streamAnswer(body, { cut: cutOf(step), withUsage })] };
}

function refuse(
  source: string,
  status: number,
  { message, type, param, code }: ChatErrorBody["error"],
): Answer {
  const body: ChatErrorBody = { error: { message, type, param, code } };
  return { ...answer(source, status, body), frames: [renderChunk(body)] };
}

function answer(source: string, status: number, body: object): Answer {
  return { status, headers: { "x-request-id": `req_${hash(source)}` }, body };
}
