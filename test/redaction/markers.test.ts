import { createHmac, createSecretKey } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { rules } from "../../src/redaction/rules.ts";
import { cases } from "../support/cases.ts";
import { tokenForms } from "./fake-tokens.ts";
import { drawFake, makeRandom } from "./seeded-random.ts";

const key = createSecretKey(Buffer.alloc(32, 7));
const { redactText } = makeRedactor(key);
const token = drawFake("ghp_<base62:36>", makeRandom(1)).text;
const marker = redactText(token);

describe("markers", () => {
  it("name the kind and a hash of the secret under the key", () => {
    const hash = createHmac("sha256", key).update(token).digest("hex").slice(0, 8);
    expect(marker).toBe(`[redacted:github-token:${hash}]`);
  });

  it("are the same for the same secret, wherever it stands", () => {
    expect(redactText(`${token} GITHUB_TOKEN=${token} "token": "${token}" https://me:${token}@host`)).toBe(
      `${marker} GITHUB_TOKEN=${marker} "token": "${marker}" https://me:${marker}@host`,
    );
  });

  it("are different under another key", () => {
    const other = makeRedactor(createSecretKey(Buffer.alloc(32, 8)));
    expect(other.redactText(token)).not.toBe(marker);
    expect(other.redactText(token)).toMatch(/^\[redacted:github-token:[0-9a-f]{8}\]$/);
  });

  it.each([
    "[redacted:token:12345678]",
    "password=[redacted:password:12345678]",
    `{"api_key":"[redacted:key:12345678]"}`,
    "Authorization: Bearer [redacted:bearer-token:12345678]",
    "Cookie: [redacted:cookie:12345678]; b=c",
    "postgres://a:[redacted:url-password:12345678]@h/d",
    "API_KEY=[redacted:key:12345678]abcDEF123456ghiJKL",
    "[redacted:secret:12345678]=abc",
  ])("are never redacted again: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it("stand for all of the secrets that overlap", () => {
    const random = makeRandom(4);
    const text = drawFake("glpat-<base62:20>.atlasv1.<url:67>", random).text;
    expect(redactText(`a ${text} b`)).toMatch(/^a \[redacted:gitlab-token:[0-9a-f]{8}\] b$/);
    const value = drawFake("ghp_<base62:36>.<base62:30>", random).text;
    expect(redactText(`API_KEY=${value} b`)).toMatch(/^API_KEY=\[redacted:github-token:[0-9a-f]{8}\] b$/);
  });

  it("do not keep what stands beside them", () => {
    expect(redactText(`[redacted:token:12345678] ${token}`)).toBe(`[redacted:token:12345678] ${marker}`);
  });
});

/** Texts full of secrets, of pieces of them, and of what makes others secret. */
const fragment = fc.oneof(
  fc
    .tuple(fc.constantFrom(...tokenForms), fc.integer())
    .map(([[, form], seed]) => drawFake(form, makeRandom(seed)).text),
  fc.constantFrom(...rules.flatMap((rule) => rule.keywords)),
  fc.constantFrom(
    "password",
    "API_KEY",
    "token",
    "secret_key",
    "Authorization: Bearer ",
    "Cookie: a=",
    "://u:",
    "@h/",
  ),
  fc.constantFrom(
    "=",
    ": ",
    '"',
    "'",
    "\\",
    "\\n",
    "\n",
    " ",
    ";",
    "&",
    "?",
    "%3D",
    "-",
    "_",
    ".",
    "/",
    "(",
    "[",
    "]",
    ">",
    "\u200b",
    "\u00a0",
    "\u001b[1m",
    "\\u0077",
    "\r\n\r\n",
    "{",
    ",",
    "|",
    " -p ",
    "$",
  ),
  fc.stringMatching(/^[A-Za-z0-9]{4,40}$/),
  fc.string(),
  fc.constant(marker),
);
const anyText = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(""));

describe("redaction", () => {
  it("done twice is done once, for any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = redactText(text);
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: cases(2000) },
    );
  });

  it("changes nothing but what it replaces, for any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const kept = redactText(text).split(/\[redacted:[a-z0-9-]+:[0-9a-f]{8}\]/);
        let from = 0;
        for (const part of kept) {
          const at = text.indexOf(part, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + part.length;
        }
      }),
    );
  });

  it("returns a text without secrets as it is, with every character", () => {
    const text = "Grüße, 世界 👩‍👩‍👧 \u0000 \ud800 \u001b[1mbold\u001b[0m";
    expect(redactText(text)).toBe(text);
  });
});
