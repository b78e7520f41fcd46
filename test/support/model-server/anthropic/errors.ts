import type { ScriptedError } from "../protocol.ts";
import type { Refusal } from "./check-request.ts";

/** What the API says with a status. */
const errors: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ["invalid_request_error", "The request is not valid."],
  401: ["authentication_error", "invalid x-api-key"],
  403: ["permission_error", "Your API key does not have permission to use the specified resource."],
  404: ["not_found_error", "Not Found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: [
    "rate_limit_error",
    "This request would exceed your organization's rate limit. Please try again later.",
  ],
  529: ["overloaded_error", "Overloaded"],
};

/** Returns an error of a scenario in the words of the API, where the scenario has none of its own. */
export function toRefusal({ status, type, message }: ScriptedError): Refusal {
  const [usualType, usualMessage] = errors[status] ?? ["api_error", "Internal server error"];
  return { status, type: type ?? usualType, message: message ?? usualMessage };
}
