import { describe, expect, it } from "vitest";
import { Silence, toFailure } from "../../src/model/failure.ts";

const now = Date.parse("2026-11-17T12:00:00Z");

/** An error with the fields that both SDKs give theirs. */
const ofSdk = (fields: object, cause?: unknown) =>
  Object.assign(new Error("Connection error.", { cause }), { requestID: undefined, ...fields });
const answered = (headers: Record<string, string>) =>
  toFailure(ofSdk({ status: 429, error: { message: "Slow down." }, headers: new Headers(headers) }), now);
const withCode = (code: string, message = `connect ${code}`) => Object.assign(new Error(message), { code });

describe("a server's answer", () => {
  it.each([
    {
      case: "milliseconds",
      headers: { "retry-after-ms": "1500.5", "retry-after": "9" },
      retryAfterMs: 1500.5,
    },
    { case: "seconds", headers: { "retry-after": "2.5" }, retryAfterMs: 2500 },
    { case: "a moment", headers: { "retry-after": "Tue, 17 Nov 2026 12:00:30 GMT" }, retryAfterMs: 30_000 },
    { case: "nothing to wait for", headers: { "retry-after": "0" }, retryAfterMs: 0 },
  ])("says when to ask again: $case", ({ headers, retryAfterMs }) => {
    expect(answered(headers as Record<string, string>)).toEqual({
      ...{ type: "answered", status: 429, message: "Slow down.", retryAfterMs },
    });
  });

  it.each([
    { case: "in the past", headers: { "retry-after": "Tue, 17 Nov 2026 11:59:30 GMT" } },
    { case: "below zero", headers: { "retry-after": "-5", "retry-after-ms": "-5" } },
    { case: "no time", headers: { "retry-after": "soon", "retry-after-ms": "soon" } },
    { case: "empty", headers: { "retry-after": "" } },
  ])("is taken to say nothing of it when what it says is $case", ({ headers }) => {
    expect(answered(headers as Record<string, string>)).toEqual({
      ...{ type: "answered", status: 429, message: "Slow down." },
    });
  });

  it("may say whether asking again makes sense", () => {
    expect(answered({ "x-should-retry": "false" })).toMatchObject({ shouldRetry: false });
    expect(answered({ "x-should-retry": "true" })).toMatchObject({ shouldRetry: true });
    expect(answered({ "x-should-retry": "perhaps" })).not.toHaveProperty("shouldRetry");
  });

  it.each([
    { body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, status: 529 },
    { body: { error: { type: "rate_limit_error", message: "Slow down" } }, status: 429 },
    { body: { type: "server_error", code: "rate_limit_exceeded", message: "Slow down" }, status: 429 },
    { body: { code: 503, message: "Loading model" }, status: 503 },
    { body: { type: "api_error", message: "Internal" }, status: 500 },
    { body: { code: "context_length_exceeded", message: "Too long" }, status: 400 },
    { body: "something went wrong", status: 500 },
    { body: { what: 1 }, status: 500 },
  ])("in the middle of a stream has a status by its name: $status", ({ body, status }) => {
    const failure = toFailure(ofSdk({ error: body }), now);
    expect(failure).toMatchObject({ type: "answered", status, message: expect.stringMatching(/./) });
  });
});

describe("a connection", () => {
  it.each([
    { code: "ECONNREFUSED", isPassing: true },
    { code: "ECONNRESET", isPassing: true },
    { code: "UND_ERR_SOCKET", isPassing: true },
    { code: "UND_ERR_CONNECT_TIMEOUT", isPassing: true },
    { code: "EAI_AGAIN", isPassing: true },
    { code: "ENOTFOUND", isPassing: false },
    { code: "CERT_HAS_EXPIRED", isPassing: false },
  ])("that fails with $code may be tried again: $isPassing", ({ code, isPassing }) => {
    const cause = new TypeError("fetch failed", { cause: withCode(code) });
    expect(toFailure(ofSdk({}, cause), now)).toEqual({
      type: "unreachable",
      reason: `connect ${code}`,
      isPassing,
    });
  });

  it("is broken when the error comes from the middle of the body", () => {
    const error = new TypeError("terminated", { cause: withCode("UND_ERR_SOCKET", "other side closed") });
    expect(toFailure(error, now)).toEqual({ type: "broken", reason: "other side closed (UND_ERR_SOCKET)" });
    expect(toFailure("what is this", now)).toEqual({ type: "broken", reason: "it was closed" });
  });

  it.each([
    { error: ofSdk({}, new Silence(1500)), seconds: 2 },
    { error: new Silence(60_000), seconds: 60 },
    {
      error: ofSdk({}, new TypeError("fetch failed", { cause: withCode("UND_ERR_HEADERS_TIMEOUT") })),
      seconds: 300,
    },
    { error: new TypeError("terminated", { cause: withCode("UND_ERR_BODY_TIMEOUT") }), seconds: 300 },
  ])("is silent, wherever that is found out: $seconds", ({ error, seconds }) => {
    expect(toFailure(error, now)).toEqual({ type: "silent", seconds });
  });
});
