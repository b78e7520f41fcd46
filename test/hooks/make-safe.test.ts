import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capShape, makeSafe, redactUpTo } from "../../src/hooks/make-safe.ts";
import { findSecrets } from "../../src/redaction/find-secrets.ts";

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

describe("redacting the beginning of a text", () => {
  it("leaves nothing of a secret wherever the cut falls", () => {
    const text = `before ${token} after`;
    for (let limit = 0; limit <= text.length; limit += 1) {
      const safe = redactUpTo(text, limit, findSecrets);
      expect(safe).not.toContain("ghp_");
      expect(safe).not.toContain("a1B2");
    }
  });

  it("says how much is missing", () => {
    expect(redactUpTo("abcdefgh", 3, findSecrets)).toBe("abc[cut: 5 more characters]");
    expect(redactUpTo("abcdefgh", 8, findSecrets)).toBe("abcdefgh");
    expect(redactUpTo(`ab ${token} cd`, 5, findSecrets)).toBe(
      "ab [redacted:github-token][cut: 3 more characters]",
    );
  });

  it("cuts no character in two", () => {
    expect(redactUpTo("a😀b", 2, findSecrets)).toBe("a[cut: 3 more characters]");
  });
});

describe("making a payload safe", () => {
  it("keeps any payload of usual size that holds no secret", () => {
    const harmless = fc.stringMatching(/^[a-z ]{0,20}$/);
    const value = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        harmless,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[b-d]{1,5}$/), tie("tree"), { maxKeys: 4 }),
      ),
    })).tree;
    fc.assert(
      fc.property(value, (payload) => {
        expect(makeSafe(payload)).toEqual(payload);
      }),
    );
  });

  it("keeps all texts together within a megabyte or so", () => {
    const payload = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`field ${index}`, "word ".repeat(20_000)]),
    );
    const text = JSON.stringify(makeSafe(payload));
    expect(text.length).toBeLessThan(1_100_000);
    expect(text).toContain("[cut: 100000 more characters]");
  });

  it("redacts keys, and values by the name of their key", () => {
    expect(makeSafe({ [token]: 1, env: [{ name: "API_KEY", value: "q8Zr4TnW2xLp9vBc" }] })).toEqual({
      "[redacted:github-token]": 1,
      env: [{ name: "API_KEY", value: expect.stringMatching(/^\[redacted:[a-z-]+\]$/) }],
    });
  });
});

describe("the shape of a payload", () => {
  it("is cut where it is nested too deep", () => {
    expect(capShape({ a: [{ b: 1 }], c: 2 }, { depth: 2, values: 100 })).toEqual({
      a: ["[cut: nested too deep]"],
      c: 2,
    });
  });

  it("is cut after too many values", () => {
    expect(capShape([1, 2, 3, 4], { depth: 9, values: 3 })).toEqual([1, 2, "[cut: 2 more]"]);
    expect(capShape({ a: 1, b: 2, c: 3 }, { depth: 9, values: 2 })).toEqual({ a: 1, "[cut]": "2 more" });
  });

  it("survives what JSON can nest", () => {
    const deep = JSON.parse("[".repeat(5000) + "]".repeat(5000));
    expect(JSON.stringify(capShape(deep, { depth: 3, values: 100 }))).toBe('[[["[cut: nested too deep]"]]]');
  });
});
