import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/model/failure.ts";
import { type Asked, lostReply, toModelError } from "../../src/model/model-errors.ts";
import { providers } from "../../src/model/parse-model-name.ts";

const key = "sk-ant-0123456789abcdef";
const asked: Asked = { provider: providers.anthropic, title: "Anthropic", model: "claude-x", key };
const answered = (status: number, message: string, more: object = {}): Failure => ({
  ...{ type: "answered", status, message },
  ...more,
});
const shown = ({ kind, code, message, hint }: ReturnType<typeof toModelError>) => ({
  kind,
  code,
  message,
  hint,
});

describe("an error of a model", () => {
  it.each([
    {
      failure: answered(401, `invalid x-api-key: ${key}`),
      ...{ kind: "config", code: "model-key-refused" },
      message: "Anthropic refused the key.",
      hint: "Set ANTHROPIC_API_KEY to a key that is valid.",
    },
    {
      failure: answered(403, "Your account is on hold."),
      ...{ kind: "config", code: "model-key-refused" },
      message: "Anthropic does not allow this with the key that was given: Your account is on hold.",
      hint: "Set ANTHROPIC_API_KEY to a key that may use claude-x.",
    },
    {
      failure: answered(404, "model: claude-x"),
      ...{ kind: "usage", code: "model-not-found" },
      message: "Anthropic has no model claude-x: model: claude-x.",
      hint: "Name another one with `--model anthropic/…`, or look at ANTHROPIC_BASE_URL where it is set.",
    },
    {
      failure: answered(400, "input length and `max_tokens` exceed context limit: 1 + 2 > 2"),
      ...{ kind: "usage", code: "context-too-long" },
      message:
        "The conversation is too long for claude-x: input length and `max_tokens` exceed context limit: 1 + 2 > 2.",
      hint: "Have it summed up with `/compact`, or begin anew with `/reset`.",
    },
    {
      failure: answered(400, "Too much.", { reason: "context_length_exceeded" }),
      ...{ kind: "usage", code: "context-too-long" },
      message: "The conversation is too long for claude-x: Too much.",
      hint: "Have it summed up with `/compact`, or begin anew with `/reset`.",
    },
    {
      failure: answered(529, "Overloaded"),
      ...{ kind: "busy", code: "model-busy" },
      message: "Anthropic cannot answer now (529): Overloaded.",
      hint: "Ask again later.",
    },
    {
      failure: answered(429, "", { retryAfterMs: 90_000 }),
      ...{ kind: "busy", code: "model-busy" },
      message: "Anthropic cannot answer now (429): it gave no reason.",
      hint: "Ask again in 1 min 30 s.",
    },
    {
      failure: answered(400, "tools.0.name: wrong"),
      ...{ kind: "usage", code: "model-refused" },
      message: "Anthropic refused the request (400): tools.0.name: wrong.",
      hint: undefined,
    },
    {
      failure: { type: "unreachable", reason: "self-signed certificate", isPassing: false } as const,
      ...{ kind: "io", code: "model-unreachable" },
      message: "Anthropic cannot be reached: self-signed certificate.",
      hint: "Look at the network, and at ANTHROPIC_BASE_URL where it is set.",
    },
    {
      failure: { type: "broken", reason: "other side closed" } as const,
      ...{ kind: "io", code: "model-lost" },
      message: "The connection to Anthropic was lost: other side closed.",
      hint: "Ask again.",
    },
    {
      failure: { type: "silent", seconds: 120 } as const,
      ...{ kind: "io", code: "model-silent" },
      message: "Anthropic sent nothing for 2 min.",
      hint: "Ask again.",
    },
    {
      failure: { type: "empty" } as const,
      ...{ kind: "config", code: "model-no-reply" },
      message: "What Anthropic sent is no reply of a model.",
      hint: "Look at ANTHROPIC_BASE_URL: it may lead to something else.",
    },
  ])("says what happened and what to do: $message", ({ failure, ...expected }) => {
    expect(shown(toModelError(failure, asked))).toEqual(expected);
  });

  it.each([
    {
      failure: answered(529, "Overloaded"),
      code: "model-lost",
      message: "The reply of Anthropic broke off: Overloaded.",
    },
    {
      failure: { type: "broken", reason: "it ended too early" } as const,
      code: "model-lost",
      message: "The reply of Anthropic broke off: it ended too early.",
    },
    {
      failure: { type: "silent", seconds: 60 } as const,
      code: "model-silent",
      message: "Anthropic sent nothing for 1 min.",
    },
  ])("is another one when the reply had begun: $message", ({ failure, code, message }) => {
    expect(shown(lostReply(failure, asked))).toEqual({ kind: "io", code, message, hint: "Ask again." });
  });

  it("quotes a server on one line that can be printed, without secrets, and not at length", () => {
    const said = `You\u001b[2J sent\r\n${key} and ${key.slice(0, 9)}, token=ghp_${"a1B2".repeat(9)} 🙂 ${"x".repeat(20_000)}`;
    const { message } = toModelError(answered(400, said), asked);
    expect(message).toMatch(/^Anthropic refused the request \(400\): You\^\[\[2J sent \[redacted/);
    expect(message).not.toContain(key.slice(0, 9));
    expect(message).not.toContain("ghp_");
    expect(message.length).toBeLessThan(500);
  });
});
