import { createSecretKey } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it, vi } from "vitest";
import { findDangers } from "./pattern-shape.ts";

const sources = globSync("src/redaction/*.ts");

describe("the shape of the patterns", () => {
  it.each([
    [/(?:a+)+b/, ["+ without a limit", "+ without a limit", "a repetition inside a repeated group"]],
    [/(?:a{1,9}){1,9}b/, ["a repetition inside a repeated group"]],
    [/(a)\1/, ["the back-reference \\1"]],
    [/[a-z]{1,20}\w{1,20}!/, ["[a-z] beside \\w"]],
    [/[a-z]{1,20}x[a-z]{1,20}!/, ["[a-z] beside [a-z]"]],
    [/(?:a|[ab]){1,20}!/, ["alternatives of a repeated group that begin alike"]],
    [/(?<=a*)b/, ["* without a limit"]],
    [/a{2,}/, ["{2,} without a limit"]],
    [/[a-z]{1,20}-[a-z]{1,20}(?:x|y)?/, []],
  ])("tells what is wrong with %s", (pattern, dangers) => {
    expect(findDangers(pattern)).toEqual(dangers);
  });

  it("finds nothing that could make a pattern of the source slow", () => {
    const literals = sources.flatMap((file) => readLiterals(file));
    expect(literals.length).toBeGreaterThan(20);
    expect(literals.flatMap(describeDangers)).toEqual([]);
  });

  it("finds nothing that could make a pattern slow that is put together at run time", async () => {
    // A test before this one may have compiled them already.
    vi.resetModules();
    const made = await recordPatterns(async () => {
      const { makeRedactor } = await import("../../src/redaction/redactor.ts");
      const { rules } = await import("../../src/redaction/rules.ts");
      // A text of all keywords compiles the pattern of every rule.
      const keywords = rules.flatMap((rule) => rule.keywords);
      makeRedactor(createSecretKey(Buffer.alloc(32))).redactText(` ${keywords.join("\n ")}`);
      return rules.filter((rule) => "source" in rule).length;
    });
    expect(made.patterns.length).toBeGreaterThan(made.result);
    expect(made.patterns.flatMap(describeDangers)).toEqual([]);
  });
});

describe("hostile texts", () => {
  const units = [
    "a",
    "=",
    '"',
    "\\",
    "0",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "token=",
    `token="`,
    "://a:",
  ];
  const rows = [
    "eyJ",
    "-eyJ.",
    "sk-ant-",
    "xoxb-",
    "cookie: a=",
    "[redacted:x:00000000]",
    "secret='\"",
    "key: >\n ",
    "password=",
    "password: ",
    `"password":"`,
    `"password":{"value":`,
    `passwords:["`,
    String.raw`\"password\":\"`,
    "--password ",
    `"--password","`,
    "ENV TOKEN ",
    "mysql -p",
    `"mysql","`,
    "docker login ",
    "curl -u a:",
    "| token |",
    "a.b:*:",
    "://a:/",
    "identified by '",
    'name="token"\r\n\r\n',
    'variable "token" {\n type = ',
    "\u001b[",
    "\u001b]",
    "\u200btoken=",
    "\\u0074",
    "pass\u00a0",
    "eyJabcdefgh\n.",
  ];
  const repeated = [...units, ...rows].map((unit) => [unit, unit] as const);
  const tails = [
    ["token=", "."],
    ["token=", "&"],
    ["sessid=", "a"],
    ["cookie: a=b", ";"],
    ["password: ", ")"],
    ["password=", "("],
    ["PASSWORD=a", '"'],
    ["\npassword: a", "b"],
    ["curl -u ", "a:"],
  ] as const;

  it.each([...repeated, ...tails])(
    "cost twice as much when they are twice as long: %j, then %j",
    async (unit, tail) => {
      const { makeRedactor } = await import("../../src/redaction/redactor.ts");
      const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32)));
      const make = (size: number): string =>
        unit.repeat(Math.ceil(size / unit.length)) + tail.repeat(Math.ceil(size / tail.length));
      const [once, twice] = [8000, 16_000].map((size) => countWork(() => redactText(make(size))));
      expect(twice).toBeLessThanOrEqual((once ?? 0) * 2.1 + 100);
    },
  );
});

/**
 * Returns the work that patterns do: one for each execution, which is bounded, as their shape shows, and for those that
 * look for a place further on, one for each character on the way, or of the text that they look at.
 */
function countWork(work: () => unknown): number {
  const original = RegExp.prototype.exec;
  let count = 0;
  RegExp.prototype.exec = function exec(text) {
    const from = this.lastIndex;
    const found = original.call(this, text);
    if (this.global) count += (found?.index ?? text.length) - from + 1;
    else count += this.sticky ? 1 : text.length + 1;
    return found;
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = original;
  }
  return count;
}

function describeDangers(pattern: RegExp): readonly string[] {
  return findDangers(pattern).map((danger) => `${danger} in ${pattern}`);
}

function readLiterals(file: string): readonly RegExp[] {
  const literals: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      literals.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest));
  return literals;
}

/** Runs some work and returns the patterns that it made, also those of the modules that it loaded. */
async function recordPatterns<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly patterns: readonly RegExp[]; readonly result: Result }> {
  const patterns: RegExp[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [source, flags]: [string, string?]) => {
      const pattern = new target(source, flags);
      patterns.push(pattern);
      return pattern;
    },
  });
  try {
    return { result: await work(), patterns };
  } finally {
    globalThis.RegExp = original;
  }
}
