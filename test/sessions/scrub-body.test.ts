import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scrubBody } from "../../src/sessions/scrub-body.ts";

const scrub = (text: string) => text.replaceAll("secret", "***");
const hash = "0".repeat(64);

describe("scrubBody", () => {
  it.each([
    {
      case: "every text of a message, opaque ones too",
      body: {
        role: "assistant",
        parts: [
          { type: "text", text: "a secret" },
          { type: "tool-call", call: "secret-1", name: "secret", input: { secret: ["secret", 1] } },
          { type: "tool-result", call: "secret-1", output: "secret", failed: true },
          { type: "file", mediaType: "text/secret", name: "secret", location: "/secret", bytes: 5 },
          { type: "other", raw: { encrypted_content: "secret" } },
        ],
        model: "secret-3",
        clientMessageId: "msg_secret",
        replaces: "ent_01a1df9c-0000-7000-8000-000000000000",
        interrupted: true,
      },
      scrubbed: {
        role: "assistant",
        parts: [
          { type: "text", text: "a ***" },
          { type: "tool-call", call: "***-1", name: "***", input: { "***": ["***", 1] } },
          { type: "tool-result", call: "***-1", output: "***", failed: true },
          { type: "file", mediaType: "text/***", name: "***", location: "/***", bytes: 5 },
          { type: "other", raw: { encrypted_content: "***" } },
        ],
        model: "***-3",
        clientMessageId: "msg_***",
        replaces: "ent_01a1df9c-0000-7000-8000-000000000000",
        interrupted: true,
      },
    },
    {
      case: "a summary, but not the entry that it refers to",
      body: { text: "secret", replaces: "ent_01a1df9c-0000-7000-8000-000000000000" },
      scrubbed: { text: "***", replaces: "ent_01a1df9c-0000-7000-8000-000000000000" },
    },
    {
      case: "a client's reference",
      body: { text: "x", replaces: "secret", kept: ["secret"] },
      scrubbed: { text: "x", replaces: "***", kept: ["***"] },
    },
    {
      case: "a round",
      body: { number: 1, data: { a: "secret" } },
      scrubbed: { number: 1, data: { a: "***" } },
    },
    { case: "a checkpoint", body: { state: { secret: null } }, scrubbed: { state: { "***": null } } },
    {
      case: "an event",
      body: { event: "secret", data: { a: ["secret"] } },
      scrubbed: { event: "***", data: { a: ["***"] } },
    },
    {
      case: "a client's record, but not its kind",
      body: { kind: "secret", secret: { __proto__: null, kind: "secret" } },
      scrubbed: { kind: "secret", "***": { kind: "***" } },
    },
    {
      case: "a false note that bodies were scrubbed",
      body: { event: "scrubbed", data: { entries: [{ id: "secret!", hash }] } },
      scrubbed: { event: "scrubbed", data: { entries: [{ id: "***!", hash }] } },
    },
  ])("scrubs $case", ({ body, scrubbed }) => {
    expect(scrubBody(body, scrub)).toEqual(scrubbed);
  });

  it("leaves alone what makes an entry what it is, whatever is looked for", () => {
    const bodies = [
      {
        role: "tool",
        parts: [
          { type: "text", text: "" },
          { type: "image", mediaType: "", bytes: 1234 },
        ],
        usage: { inputTokens: 1234 },
      },
      { number: 1234, data: {} },
      { event: "titled", data: {} },
      { event: "scrubbed", data: { entries: [{ id: "ent_1234", hash }] } },
    ];
    const eager = (text: string) => text.replace(/^.+$/s, "***");
    expect(bodies.map((body) => scrubBody(body, eager))).toEqual(bodies);
  });

  it("finds numbers, which become texts", () => {
    const pin = (text: string) => text.replaceAll("4711", "***");
    expect(scrubBody({ state: { pin: 4711, long: 547_119, other: 4.5, is: true } }, pin)).toEqual({
      state: { pin: "***", long: "5***9", other: 4.5, is: true },
    });
  });

  it("takes the signature of what it changed, and leaves others", () => {
    const signed = (text: string) => ({ type: "thinking", text, signature: "c2ln" });
    const call = {
      type: "tool-call",
      call: "c",
      name: "n",
      input: { type: "t", signature: "f(a)", text: "secret" },
    };
    const record = { kind: "x", blocks: [{ type: "t", text: "secret", signature: "c2ln" }] };
    expect(scrubBody({ role: "assistant", parts: [signed("secret"), signed("fine"), call] }, scrub)).toEqual({
      role: "assistant",
      parts: [
        { type: "thinking", text: "***" },
        signed("fine"),
        { ...call, input: { ...call.input, text: "***" } },
      ],
    });
    expect(scrubBody(record, scrub)).toEqual({ kind: "x", blocks: [{ type: "t", text: "***" }] });
  });

  it("returns the same object when there is nothing to do, for any object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        expect(scrubBody(body, (text) => text)).toBe(body);
      }),
    );
  });
});
