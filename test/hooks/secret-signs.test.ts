import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectTexts } from "../../src/hooks/collect-texts.ts";
import { makeSafe } from "../../src/hooks/make-safe.ts";
import { frequentWords, rareWords, tokenPrefixes } from "../../src/hooks/secret-signs.ts";
import { findSecrets } from "../../src/redaction/find-secrets.ts";
import { rules } from "../../src/redaction/rules.ts";
import { tokenForms } from "../redaction/fake-tokens.ts";
import { drawFake, makeRandom } from "../redaction/seeded-random.ts";
import { cases } from "../support/cases.ts";
import { isLookedAt, plainLimits } from "../support/is-looked-at.ts";

describe("the signs of a secret", () => {
  it("are there for every keyword of every rule", () => {
    const signs = [
      ...rareWords,
      ...frequentWords.flatMap(({ words }) => words),
      ...tokenPrefixes.map((prefix) => prefix.toLowerCase()),
    ];
    const without = rules
      .flatMap((rule) => rule.keywords)
      .filter((keyword) => !signs.some((sign) => keyword.includes(sign)));
    expect(without).toEqual([]);
  });

  it.each([
    { case: "alone", wrap: (token: string) => token },
    { case: "in a command", wrap: (token: string) => `curl -H 'X: ${token}' https://host.example` },
    { case: "behind an escaped line end", wrap: (token: string) => `"a\\n${token}\\n"` },
    { case: "in colour", wrap: (token: string) => `\u001b[31m${token}\u001b[0m` },
    { case: "encoded", wrap: (token: string) => `a%3D${token}` },
    { case: "broken over lines", wrap: (token: string) => `${token.slice(0, 14)}\n${token.slice(14)}` },
  ])("are seen with every known token that the rules find, $case", ({ wrap }) => {
    const random = makeRandom(7);
    const missed = tokenForms.flatMap(([kind, form]) => {
      const text = wrap(drawFake(form, random).text);
      return findSecrets(text).length > 0 && !isLookedAt({ prompt: text }) ? [`${kind}: ${text}`] : [];
    });
    expect(missed).toEqual([]);
  });

  it("are seen in any payload that redaction would change", () => {
    const random = makeRandom(11);
    const token = fc.constantFrom(...tokenForms.map(([, form]) => drawFake(form, random).text));
    const word = fc.constantFrom(...new Set(rules.flatMap((rule) => rule.keywords)));
    const joint = fc.constantFrom(
      "=",
      ": ",
      " ",
      '": "',
      " is ",
      "(",
      " => ",
      "\n  value: ",
      "%3D",
      ">",
      "@",
      "",
    );
    const noise = fc.stringMatching(/^[A-Za-z0-9+/_-]{0,44}$/);
    const text = fc
      .array(fc.oneof(token, word, joint, noise), { maxLength: 6 })
      .map((parts) => parts.join(""));
    const name = fc.oneof(word, fc.constantFrom("pass_word", "to-ken", "value", "name", "Cookie", "note"));
    const payload = fc.dictionary(name, fc.oneof(text, fc.array(text, { maxLength: 2 }), fc.nat()), {
      maxKeys: 4,
    });
    fc.assert(
      fc.property(payload, (given) => {
        if (!isLookedAt(given)) expect(makeSafe(given)).toEqual(given);
      }),
      { numRuns: cases(3000) },
    );
  });

  it("are seen in few of the payloads that Claude Code really wrote", () => {
    const samples = globSync("test/fixtures/hook-payloads/claude-code/*/*.json");
    const looked = samples.filter((file) => isLookedAt(JSON.parse(readFileSync(file, "utf8"))));
    expect(samples.length).toBeGreaterThan(90);
    expect(looked.length).toBeLessThan(samples.length / 10);
  });
});

describe("collecting the texts of a payload", () => {
  it("gives every text, and the names of fields that can hold one", () => {
    expect(collectTexts({ a: "x", b: { c: ["y", 1] }, d: 2, e: null, f: true }, plainLimits)).toEqual({
      texts: ["a", "x", "b", "c", "y", "d", "e", "f"],
      names: ["a", "b", "c", "d", "e"],
    });
  });

  it.each([
    { case: "nested too deep", payload: JSON.parse("[".repeat(61) + "]".repeat(61)) },
    { case: "of too many values", payload: Array.from({ length: 5000 }, () => 1) },
    { case: "too long", payload: { text: "x".repeat(65_536) } },
    { case: "with names that are too long", payload: { ["x".repeat(65_537)]: 1 } },
  ])("gives up on one that is $case", ({ payload }) => {
    expect(collectTexts(payload, plainLimits)).toBe(undefined);
  });
});
