/** Why one attempt to get a reply failed, as far as anybody acts on it. */
export type Failure =
  /** The server answered with an error, at once or in the middle of its stream. */
  | {
      readonly type: "answered";
      readonly status: number;
      readonly message: string;
      /** The server's own word for it, such as `insufficient_quota`. */
      readonly reason?: string;
      readonly retryAfterMs?: number;
      readonly shouldRetry?: boolean;
    }
  /** No answer came at all. */
  | { readonly type: "unreachable"; readonly reason: string; readonly isPassing: boolean }
  /** The answer broke off. */
  | { readonly type: "broken"; readonly reason: string }
  | { readonly type: "silent"; readonly seconds: number }
  /** The answer ended before it had said anything that belongs to a reply. */
  | { readonly type: "empty" };

export type Answered = Extract<Failure, { type: "answered" }>;

/** The server has sent nothing for too long. */
export class Silence extends Error {
  readonly seconds: number;

  constructor(milliseconds: number) {
    super("nothing was sent");
    this.seconds = Math.ceil(milliseconds / 1000);
  }
}

/** Errors of the network after which the next attempt may succeed. */
const passing = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EAI_AGAIN"],
  ...["ENETDOWN", "ENETUNREACH", "EHOSTDOWN", "EHOSTUNREACH", "UND_ERR_SOCKET", "UND_ERR_CONNECT_TIMEOUT"],
]);

/** How undici says that nothing came, where its own limits are shorter than ours. */
const silent = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const undiciSeconds = 300;

/** What the API calls its errors in a stream, where no status can be sent any more. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  context_length_exceeded: 400,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

/**
 * Says what an error of an SDK means.
 *
 * Both SDKs are made by the same generator, and their errors have the same fields; what they are instances of can only be
 * told by who has loaded the SDK. `now` is the time for a server that names the moment to ask again.
 */
export function toFailure(error: unknown, now: number): Failure {
  const chain = listCauses(error);
  const silence = chain.find((each) => each instanceof Silence);
  if (silence !== undefined) return { type: "silent", seconds: silence.seconds };
  const code = chain.map(readCode).find((each) => each !== undefined);
  if (code !== undefined && silent.has(code)) return { type: "silent", seconds: undiciSeconds };
  const { status, error: body, headers } = fieldsOf(error);
  if (typeof status === "number" || body !== undefined) return toAnswered(error, body, status, headers, now);
  const reason = describeCause(chain, code);
  if (isConnectionError(error)) {
    return { type: "unreachable", reason, isPassing: code !== undefined && passing.has(code) };
  }
  return { type: "broken", reason };
}

/** Tells whether a refusal may be over after a while, whatever was asked. */
export function isPassing({ status, shouldRetry, reason }: Answered): boolean {
  if (reason === "insufficient_quota") return false;
  if (shouldRetry !== undefined) return shouldRetry;
  return [408, 409, 429].includes(status) || status >= 500;
}

function toAnswered(error: unknown, body: unknown, status: unknown, headers: unknown, now: number): Failure {
  const inner = fieldsOf(fieldsOf(body).error ?? body);
  const reason = [inner.code, inner.type].find((each) => typeof each === "string");
  const retryAfterMs = headers instanceof Headers ? readRetryAfter(headers, now) : undefined;
  const should = headers instanceof Headers ? headers.get("x-should-retry") : null;
  return {
    type: "answered",
    status: typeof status === "number" ? status : findStatus(inner),
    message: describeBody(inner, body, error),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(should === "true" || should === "false" ? { shouldRetry: should === "true" } : {}),
  };
}

function findStatus({ type, code }: Fields): number {
  if (typeof code === "number" && code >= 400 && code < 600) return code;
  const known = [type, code].map((each) => (typeof each === "string" ? statuses[each] : undefined));
  return known.find((each) => each !== undefined) ?? 500;
}

function describeBody(inner: Fields, body: unknown, error: unknown): string {
  if (typeof inner.message === "string") return inner.message;
  if (typeof body === "string") return body;
  if (body !== undefined && body !== null) return JSON.stringify(body);
  // The SDKs put the status before what the server sent, be it a page of a proxy.
  const message = error instanceof Error ? error.message.replace(/^\d{3} /, "") : "";
  return message.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

/** Reads how long the server wants to be left alone: `retry-after-ms`, or `retry-after` in seconds or as a date. */
function readRetryAfter(headers: Headers, now: number): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (ms >= 0) return ms;
  const after = headers.get("retry-after");
  if (after === null || after.trim() === "") return undefined;
  const seconds = Number(after);
  const wait = Number.isNaN(seconds) ? Date.parse(after) - now : seconds * 1000;
  return wait >= 0 ? wait : undefined;
}

/** An SDK tells of it by an error of its own with the true one as its cause; a body that breaks off comes as it is. */
function isConnectionError(error: unknown): boolean {
  return error instanceof Error && "requestID" in error;
}

function describeCause(chain: readonly Error[], code: string | undefined): string {
  const message = chain.at(-1)?.message ?? "";
  if (code === undefined || message.includes(code)) return message === "" ? "it was closed" : message;
  return `${message} (${code})`;
}

function listCauses(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 8; each = each.cause) chain.push(each);
  return chain;
}

function readCode(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
