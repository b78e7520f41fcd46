import { createSecretKey } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { drawFake, makeRandom } from "./seeded-random.ts";

const { redactJson, redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));
const random = makeRandom(99);
const make = (form: string): string => drawFake(form, random).text;
const token = make("ghp_<base62:36>");
const marker = redactText(token);
const plain = make("<base62:30>1");
const unkeyed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/:[0-9a-f]{8}\]/g, "]"));

describe("decoded values", () => {
  it("have every string redacted on its own, keys too", () => {
    const value = { a: `x ${token}`, b: [{ c: token }, 1, null, true], [token]: "key" };
    expect(redactJson(value)).toEqual({
      a: `x ${marker}`,
      b: [{ c: marker }, 1, null, true],
      [marker]: "key",
    });
  });

  it("are the same object when nothing changed", () => {
    const value = { kind: "message", parts: [{ type: "text", text: "hello" }], at: new Date(0) };
    expect(redactJson(value)).toBe(value);
  });

  it("share the parts that did not change", () => {
    const value = { kept: { deep: ["text"] }, changed: token };
    const redacted = redactJson(value);
    expect(redacted).toEqual({ kept: { deep: ["text"] }, changed: marker });
    expect(redacted.kept).toBe(value.kept);
  });

  it.each([
    [{ api_key: plain }, { api_key: "[redacted:key]" }],
    [{ apiKey: plain }, { apiKey: "[redacted:key]" }],
    [{ accessToken: plain }, { accessToken: "[redacted:token]" }],
    [{ client_secret: plain }, { client_secret: "[redacted:secret]" }],
    [{ private_key: plain }, { private_key: "[redacted:key]" }],
    [{ secretAccessKey: plain }, { secretAccessKey: "[redacted:aws-secret-key]" }],
    [{ password: "letmeinplease" }, { password: "[redacted:password]" }],
    [{ password: "correct horse battery staple" }, { password: "[redacted:password]" }],
    [{ passwd: "hunter2" }, { passwd: "[redacted:password]" }],
    [{ authorization: `Bearer ${plain}` }, { authorization: "Bearer [redacted:bearer-token]" }],
    [{ Cookie: `sid=${plain}; theme=dark` }, { Cookie: "[redacted:cookie]" }],
    [{ "set-cookie": [`sid=${plain}; Path=/`] }, { "set-cookie": ["sid=[redacted:cookie]; Path=/"] }],
    [{ env: [{ name: "API_KEY", value: plain }] }, { env: [{ name: "API_KEY", value: "[redacted:key]" }] }],
    [{ tokens: { MISTRAL_API_KEY: plain } }, { tokens: { MISTRAL_API_KEY: "[redacted:mistral-key]" } }],
    [{ secret: [plain] }, { secret: ["[redacted:secret]"] }],
    [{ password: token }, { password: "[redacted:github-token]" }],
    [{ text: JSON.stringify({ password: plain }) }, { text: `{"password":"[redacted:password]"}` }],
  ])("have secrets where the key names one: %j", (value, expected) => {
    expect(unkeyed(redactJson<unknown>(value))).toEqual(expected);
  });

  it.each([
    { password: "required" },
    { password: "" },
    { password: "Forgot your password?" },
    { password: "$DB_PASSWORD" },
    { token: "Bearer" },
    { api_key: "YOUR_API_KEY" },
    { api_key: "<api-key>" },
    { secret: "process.env.SECRET" },
    { token: 123_456 },
    { password: null },
    { max_tokens: "4096" },
    { next_page_token: plain },
    { public_key: plain },
    { key: plain },
    { session_id: "0198c8f0-5d1a-7b3e-9c55-0a1b2c3d4e5f" },
    { credentials: "same-origin" },
    { authorization: "required" },
    { cookie: "accepted" },
  ])("stay where the key or the value names none: %j", (value) => {
    expect(redactJson<unknown>(value)).toBe(value);
  });

  it("keep what they are told is opaque, with all it holds", () => {
    const value = { signature: token, data: { deep: [token] }, text: token };
    const isOpaque = (path: readonly (string | number)[]): boolean =>
      path.length === 1 && (path[0] === "signature" || path[0] === "data");
    expect(redactJson(value, { isOpaque })).toEqual({ ...value, text: marker });
  });

  it("name the way to each value when asked what is opaque", () => {
    const asked: string[] = [];
    const isOpaque = (path: readonly (string | number)[]): boolean => {
      asked.push(path.join("."));
      return false;
    };
    redactJson({ a: [{ b: "c" }], d: 1 }, { isOpaque });
    expect(asked).toEqual(["a", "a.0", "a.0.b", "d"]);
  });

  it("keep a key called __proto__ a key", () => {
    const value: unknown = JSON.parse(`{"__proto__":{"polluted":"${token}"}}`);
    const redacted = redactJson(value);
    expect(JSON.stringify(redacted)).toBe(`{"__proto__":{"polluted":"${marker}"}}`);
    expect(Object.hasOwn({}, "polluted") || "polluted" in {}).toBe(false);
  });

  it("are redacted in the depth of a thousand lists", () => {
    const deep = (inner: string): string => "[".repeat(1000) + inner + "]".repeat(1000);
    const value: unknown = JSON.parse(deep(`"${token}"`));
    expect(JSON.stringify(redactJson(value))).toBe(deep(`"${marker}"`));
  });

  it("keep their shape, and redacting twice is redacting once, for any value", () => {
    const strings = fc.oneof(fc.string(), fc.constantFrom(token, plain, `API_KEY=${plain}`, marker));
    const keys = fc.oneof(
      fc.string(),
      fc.constantFrom("password", "api_key", "cookie", "authorization", "value"),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        strings,
        fc.constantFrom(null, true, 1.5),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(keys, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const once = redactJson(value);
        expect(redactJson(once)).toBe(once);
        expect(JSON.stringify(once)).not.toContain(token);
        expect(shapeOf(once)).toEqual(shapeOf(value));
      }),
    );
  });
});

/** Returns a value with all its strings emptied. */
function shapeOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item: unknown) => (typeof item === "string" ? "" : item)));
}
