import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, compileSimplePattern } from "../../../src/gates/config/compile-pattern.ts";
import * as engine from "../../../src/gates/config/re2-pattern.ts";
import { findPatternFault } from "../../../src/gates/config/re2-pattern.ts";
import { cases } from "../../support/cases.ts";

const finds = (pattern: string, text: string) => compilePattern(pattern, () => engine).finds(text);

const withoutEngine = (pattern: string) =>
  compilePattern(pattern, () => {
    throw new Error("the engine was loaded");
  });

describe("a pattern", () => {
  it.each([
    { pattern: "git\\s+commit", text: "cd x && git  commit -m x", found: true },
    { pattern: "git\\s+commit", text: "git\n\tcommit", found: true },
    { pattern: "git\\s+commit", text: "gitcommit", found: false },
    { pattern: "git\\s+commit", text: "Git COMMIT", found: true },
    { pattern: "GIT\\s+commit", text: "git commit", found: true },
    { pattern: "GIT.*(?:Force|f)", text: "git push --force", found: true },
    { pattern: "(?-i)git\\s+commit", text: "GIT COMMIT", found: false },
    { pattern: "rÉsumé", text: "cat RéSUMÉ", found: true },
    { pattern: "git\\b", text: "GIT\u017f", found: true },
    { pattern: "(?i)git\\s+commit", text: "GIT COMMIT", found: true },
    { pattern: "git\\s+(commit|merge)\\b", text: "git merges", found: false },
    { pattern: "git\\s+(?:commit|merge)\\b", text: "git merge x", found: true },
    { pattern: "npm\\s+publish|yarn\\s+publish", text: "yarn publish", found: true },
    { pattern: "^make", text: "cd x; make", found: false },
    { pattern: "^make", text: "make all", found: true },
    { pattern: "push$", text: "git push", found: true },
    { pattern: "push$", text: "git push\n", found: true },
    { pattern: "push$", text: "git push\n\n", found: false },
    { pattern: "(?m)push$", text: "git push\necho", found: true },
    { pattern: "push\\Z", text: "git push", found: true },
    { pattern: "push\\Z", text: "git push\n", found: false },
    { pattern: "push\\\\Z", text: "push\\Z", found: true },
    { pattern: "[\\]$]x", text: "$x", found: true },
    { pattern: "[]$]x", text: "$x", found: true },
    { pattern: "[^]$]x", text: "$x", found: false },
    { pattern: "a{,2}b$", text: "xaab", found: true },
    { pattern: "^a{,2}b", text: "aaab", found: false },
    { pattern: "(?P<verb>commit|push)\\s+--force", text: "git push --force", found: true },
    { pattern: "r\\u00e9sum\\U000000e9", text: "cat résumé", found: true },
    { pattern: "a.b", text: "a\nb", found: false },
    { pattern: "colou?r", text: "color", found: true },
    { pattern: "ab*", text: "xa", found: true },
    { pattern: "", text: "anything", found: true },
    { pattern: "x\\.y", text: "xzy", found: false },
    { pattern: "🦉\\s+x", text: "🦉 x", found: true },
  ])("$pattern in $text: $found", ({ pattern, text, found }) => {
    expect(finds(pattern, text)).toBe(found);
  });

  it.each(["git push", "a\\.b\\-c", "git\\s+(commit|cherry-pick|revert|merge)", "\\bgh\\s+pr\\s+create\\b"])(
    "of a usual form needs no engine: %s",
    (pattern) => {
      expect(withoutEngine(pattern).finds("nothing of that")).toBe(false);
    },
  );

  it("loads the engine only for a text that has what every match has", () => {
    const pattern = withoutEngine("git.*--force");
    expect(pattern.finds("npm test")).toBe(false);
    expect(() => pattern.finds("git push")).toThrow("the engine was loaded");
  });

  it("loads the engine once", () => {
    let loads = 0;
    const pattern = compilePattern("git.*x", () => {
      loads += 1;
      return engine;
    });
    expect(["git x", "git y", "git z x"].map((text) => pattern.finds(text))).toEqual([true, false, true]);
    expect(loads).toBe(1);
  });

  it.each([
    "\\s+x",
    "a\\s+\\s+b",
    "a\\s*\\s*b",
    "a\\s+ b",
    "a\\s+( |b)",
    "a\\s+(b| c)",
    "(a|b)+",
    "a.*b",
    "a^b",
    "(a|aa)b",
    "(?:x|ab|a)b",
    "(a|a)",
    "(a|Aa)b",
    "é",
    " \\s+b",
    "(a|b )\\s+c",
    "a\\s+(?: b)",
  ])("that gives JavaScript a choice is left to the engine: %s", (pattern) => {
    expect(compileSimplePattern(pattern)).toBeUndefined();
  });
});

describe("a simple pattern", () => {
  const word = fc.stringMatching(/^[abBskéÉ.-]{1,3}$/u).map((text) => text.replaceAll(/[.-]/g, "\\$&"));
  const choice = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `(${words.join("|")})`);
  const part = fc.oneof(word, choice, fc.constantFrom("\\s+", "\\s*", "\\s", "\\b", "^", " ", "|"));
  const pattern = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
  const text = fc.array(
    fc.constantFrom(
      ...["a", "A", "b", "B", "s", "S", "\u017f", "K", "\u212a", "é", "É"],
      ...[".", "-", " ", "\n", "\t", "\v", "\u00a0"],
    ),
    { maxLength: 12 },
  );

  it("finds just what the engine finds", () => {
    let simple = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 8 }), (given, texts) => {
        const find = compileSimplePattern(given);
        if (find === undefined) return;
        simple += 1;
        const engineFinds = engine.compileRe2Pattern(given);
        for (const each of texts) expect(find(each.join(""))).toBe(engineFinds(each.join("")));
      }),
      { numRuns: cases(500) },
    );
    expect(simple).toBeGreaterThan(cases(500) / 20);
  });

  it("is refused by nothing that finds it: what it needs is in each text in which it is found", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "B", "s", "K", "é", ".", "*", "?", "+", "{2}", "\\w", "[ab]"), {
          maxLength: 6,
        }),
        text,
        (parts, given) => {
          const regexp = parts.join("");
          if (findPatternFault(regexp) !== undefined) return;
          expect(finds(regexp, given.join(""))).toBe(engine.compileRe2Pattern(regexp)(given.join("")));
        },
      ),
      { numRuns: cases(500) },
    );
  });
});

describe("a fault of a pattern", () => {
  it.each([
    ["(?=x)", "(?="],
    ["(?<!x)y", "(?<"],
    ["(a)\\1", "\\1"],
    ["(?P<n>a)(?P=n)", "(?P"],
    ["a(", "missing closing ), at character 2: ("],
    ["x*+", "*+"],
    ["a{1001}", "{1001}"],
    ["((((a{99}){99}){99}){99})", "repeat"],
  ])("is told of %s", (pattern, told) => {
    expect(findPatternFault(pattern)?.reason).toContain(told);
  });

  it.each([
    ["git (commit|(push)", "missing closing ), at character 5: (commit|(push)", "Close the group"],
    ["a[(]\\(b)c)", "unexpected ), at character 8: )c)", "Open the group"],
    ["git [a-z", "missing closing ], at character 5: [a-z", "Close the list"],
    ["a|*b", "missing argument to repetition operator, at character 3: *b", "Put what is repeated before it"],
    ["a*|*", "missing argument to repetition operator: *", "Put what is repeated before it"],
    ["a{3,2}", "invalid repeat count, at character 2: {3,2}", "Let it repeat at most"],
    ["a\\", "trailing backslash at end of expression", "Remove the last"],
    ["x(?!y)", "invalid or unsupported Perl syntax, at character 2: (?!y)", "Write it without looking ahead"],
  ])("says of %s where and why, and what to do", (pattern, reason, hint) => {
    expect(findPatternFault(pattern)).toEqual({ reason, hint: expect.stringContaining(hint) });
  });

  it("is that it is too long", () => {
    expect(findPatternFault("a".repeat(1001))?.reason).toBe("it is longer than 1000 characters");
    expect(findPatternFault("a".repeat(1000))).toBeUndefined();
  });
});
