import type { ScriptedError } from "../protocol.ts";
import type { ChatErrorBody } from "./wire.ts";

const refused = "invalid_request_error";

/** What the API says with a status. */
const errors: Readonly<Record<number, readonly [type: string, message: string, code: string | null]>> = {
  400: [refused, "The request is not valid.", null],
  401: [refused, "Incorrect API key provided.", "invalid_api_key"],
  403: ["permission_error", "You do not have access to this resource.", null],
  404: [refused, "The model does not exist or you do not have access to it.", "model_not_found"],
  429: ["requests", "Rate limit reached. Please try again later.", "rate_limit_exceeded"],
  503: ["server_error", "The server is currently overloaded with other requests. Sorry about that!", null],
  529: ["server_error", "The server is currently overloaded with other requests. Sorry about that!", null],
};

/** Returns an error of a scenario in the words of the API, where the scenario has none of its own. */
export function toError({ status, type, message }: ScriptedError): ChatErrorBody["error"] {
  const usual = "The server had an error while processing your request. Sorry about that!";
  const [usualType, usualMessage, code] = errors[status] ?? ["server_error", usual, null];
  return { message: message ?? usualMessage, type: type ?? usualType, param: null, code };
}
