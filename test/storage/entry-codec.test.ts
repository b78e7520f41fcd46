import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/sessions/chain.ts";
import type { MessageContent } from "../../src/sessions/entry.ts";
import { parseEntryId, parseStrand } from "../../src/sessions/ids.ts";
import { decodeContent, encodeContent, makeFingerprint } from "../../src/storage/entry-codec.ts";

it("makes fingerprints that are the first 16 bytes of an HMAC-SHA-256", () => {
  const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/);
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      name,
      name,
      fc.string(),
      (key, kind, strand, body) => {
        const expected = createHmac("sha256", key)
          .update(`${kind}\0${strand}\0${sha256(body)}`)
          .digest();
        const print = makeFingerprint(key)(kind, parseStrand(strand), sha256(body));
        expect(Buffer.from(print)).toEqual(expected.subarray(0, 16));
      },
    ),
  );
});

describe("the body of a message", () => {
  const whole: MessageContent = {
    kind: "message",
    role: "assistant",
    parts: [{ type: "text", text: "Done" }],
    model: "model-x",
    usage: { inputTokens: 3, outputTokens: 1 },
    clientMessageId: "msg_1",
    replaces: parseEntryId("ent_1"),
  };
  const body =
    '{"role":"assistant","parts":[{"type":"text","text":"Done"}],"model":"model-x",' +
    '"usage":{"inputTokens":3,"outputTokens":1},"clientMessageId":"msg_1","replaces":"ent_1"}';

  it("is byte for byte what it was before a message could be cut off, so that its hash is too", () => {
    expect(encodeContent(whole)).toEqual({ kind: "message", body });
    expect(sha256(encodeContent(whole).body)).toBe(sha256(body));
  });

  it("says last that the message was cut off", () => {
    const cut: MessageContent = { ...whole, interrupted: true };
    const encoded = encodeContent(cut);
    expect(encoded.body).toBe(`${body.slice(0, -1)},"interrupted":true}`);
    expect(decodeContent(encoded.kind, encoded.body)).toEqual(cut);
  });
});
