import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "../../src/conversation/chain.ts";
import { parseStrand } from "../../src/conversation/ids.ts";
import { makeFingerprint } from "../../src/storage/entry-codec.ts";

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
