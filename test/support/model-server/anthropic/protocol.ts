import { countTokens } from "../count-tokens.ts";
import { hash } from "../hash.ts";
import { cutOf } from "../pieces.ts";
import { type Answer, type Arrival, type Received, routeOf } from "../protocol.ts";
import type { Step } from "../scenario.ts";
import { buildAnswer } from "./build-answer.ts";
import { checkRequest, type Refusal } from "./check-request.ts";
import { toRefusal } from "./errors.ts";
import { renderEvent, streamAnswer } from "./stream-answer.ts";
import { toConversation } from "./to-conversation.ts";
import type { ErrorBody, MessagesRequest } from "./wire.ts";

/** Receives a request as the Messages API does. Pure. */
export function receiveMessages(arrival: Arrival): Received {
  const { headers, source } = arrival;
  const route = routeOf(arrival);
  const answered = (status: number, body: object | undefined): Received => ({
    type: "answered",
    answer: answer(source, status, body),
  });
  const refused = (refusal: Refusal): Received => {
    const { frames: _, ...whole } = refuse(source, refusal);
    return { type: "answered", answer: whole, refusal: refusal.message };
  };
  if (route === "HEAD /") return answered(200, undefined);
  const counting = route === "POST /v1/messages/count_tokens";
  if (route !== "POST /v1/messages" && !counting) {
    const refusal = { status: 404, type: "not_found_error", message: "Not Found" };
    return refused(refusal);
  }
  const checked = checkRequest(headers, source, { counting });
  if ("refusal" in checked) return refused(checked.refusal);
  const { request } = checked;
  if (counting) return answered(200, { input_tokens: countTokens(request) });
  return {
    type: "asked",
    conversation: toConversation(request),
    say: (step) => say(source, request, step),
    fail: (error) => refuse(source, toRefusal(error)),
  };
}

function say(source: string, request: MessagesRequest, step: Step): Answer {
  const body = buildAnswer(step, request);
  const whole = answer(source, 200, body);
  return request.stream === true ? { ...whole, frames: [...streamAnswer(body, cutOf(step))] } : whole;
}

function refuse(source: string, { status, type, message }: Refusal): Answer {
  const body: ErrorBody = { type: "error", error: { type, message }, request_id: requestId(source) };
  return { ...answer(source, status, body), frames: [renderEvent(body)] };
}

function answer(source: string, status: number, body: object | undefined): Answer {
  return { status, headers: { "request-id": requestId(source) }, body };
}

/** Returns the id by which the API would name a request. */
function requestId(source: string): string {
  return `req_${hash(source)}`;
}
