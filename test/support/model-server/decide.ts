import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { buildAnswer, countTokens } from "./build-answer.ts";
import { checkRequest, type Refusal } from "./check-request.ts";
import { chooseStep } from "./choose-step.ts";
import type { Scenario, Step } from "./scenario.ts";
import type { AnswerMessage, ErrorBody } from "./wire.ts";

/** A request as it arrived. */
export interface Arrival {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly source: string;
}

/** How a request is answered. */
export interface Decision {
  /** The text that the rule which answers is for, and its step from 0 on; undefined if no rule was asked. */
  readonly rule: string | undefined;
  readonly step: number | undefined;
  readonly status: number;
  /** What is sent at once or as a stream. */
  readonly answer: AnswerMessage | ErrorBody | { readonly input_tokens: number } | undefined;
  /** How long the answer takes. */
  readonly pace: Pick<Step, "delay" | "stall">;
}

const plain = { rule: undefined, step: undefined, pace: {} };

/** Decides the answer to a request. Pure: it depends on the scenario and on this request alone. */
export function decide(scenario: Scenario, { method, path, headers, source }: Arrival): Decision {
  const route = `${method} ${path.replace(/\?.*$/, "")}`;
  if (route === "HEAD /") return { ...plain, status: 200, answer: undefined };
  const counting = route === "POST /v1/messages/count_tokens";
  if (route !== "POST /v1/messages" && !counting) {
    return { ...plain, ...refuse({ status: 404, type: "not_found_error", message: "Not Found" }, route) };
  }
  const checked = checkRequest(headers, source, { counting });
  if ("refusal" in checked) return { ...plain, ...refuse(checked.refusal, source) };
  const { request } = checked;
  if (counting) return { ...plain, status: 200, answer: { input_tokens: countTokens(request) } };
  const { rule, step, answer } = chooseStep(scenario, request);
  const said =
    answer.error === undefined
      ? { status: 200, answer: buildAnswer(answer, request) }
      : refuse(answer.error, source);
  return { rule, step, pace: answer, ...said };
}

function refuse({ status, type, message }: Refusal, source: string): Pick<Decision, "status" | "answer"> {
  return { status, answer: { type: "error", error: { type, message }, request_id: requestId(source) } };
}

/** Returns the id by which the API would name a request. */
export function requestId(source: string): string {
  return `req_${createHash("sha256").update(source).digest("hex").slice(0, 24)}`;
}
