import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(path, "utf8");
const linesOf = (path: string) => read(path).trimEnd().split("\n").length;

it("documents every error code, and no other", () => {
  const forms = [
    /code: "([a-z][a-z-]+)"/g,
    /code: .*\? "([a-z][a-z-]+)" : "([a-z][a-z-]+)"/g,
    /\b(?:usage|config|conflict|io|busy)Error\(\s*"([a-z][a-z-]+)"/g,
    /\b(?:usage|config|conflict|io|busy)Error\(\s*.*\? "([a-z][a-z-]+)" : "([a-z][a-z-]+)"/g,
  ];
  const used = globSync("src/**/*.ts")
    .flatMap((path) => forms.flatMap((form) => [...read(path).matchAll(form)]))
    .flatMap(([, ...codes]) => codes);
  const ofParser = [
    "conflicting-option",
    "excess-arguments",
    "invalid-argument",
    "missing-argument",
    "unknown-option",
  ];
  const documented = [...read("docs/errors.md").matchAll(/^\| `([a-z-]+)` \| \w+ \|/gm)];
  expect(new Set(documented.map((match) => match[1]))).toEqual(new Set([...ofParser, ...used]));
});

it("keeps README and AGENTS.md short", () => {
  expect(linesOf("README.md")).toBeLessThanOrEqual(150);
  expect(linesOf("AGENTS.md")).toBeLessThanOrEqual(100);
});

describe("links", () => {
  const pages = [...globSync("*.md"), ...globSync("docs/**/*.md")];

  it.each(pages)("of %s lead somewhere", (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] ?? "");
    expect(links.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });

  it.each([...globSync("docs/decisions/*.md"), "docs/reliability.md"])(
    "of %s to tests lead to tests that exist",
    (page) => {
      const tests = [...read(page).matchAll(/`(test\/[^`]+\.ts)`/g)].map((match) => match[1] ?? "");
      expect(tests.filter((path) => !existsSync(path))).toEqual([]);
    },
  );
});
