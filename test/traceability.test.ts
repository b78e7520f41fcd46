import { existsSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const page = readFileSync("docs/traceability.md", "utf8");

/** How many criteria each part of a seed has; `E` is its table of errors. */
const seeds = [
  { seed: "Seed 0: handover documents", parts: { 1: 6, 2: 7, 3: 6, 4: 7, 5: 7, 6: 9, 7: 6, E: 6 } },
  {
    seed: "Seed 1: work state",
    parts: { 1: 1, 2: 1, 3: 3, 4: 4, 5: 4, 6: 3, 7: 5, 8: 4, 9: 5, 10: 7, 11: 4, 12: 5 },
  },
  {
    seed: "Seed 2: requirement gates",
    parts: { 1: 10, 2: 6, 3: 6, 4: 4, 5: 4, 6: 3, 7: 4, 8: 4, 9: 3, 10: 7 },
  },
  {
    seed: "Seed 3: runs",
    parts: { 1: 3, 2: 5, 3: 4, 4: 7, 5: 8, 6: 6, 7: 5, 8: 6, 9: 6, 10: 6, 11: 4, 12: 5 },
  },
  { seed: "Seed 4: chat sessions", parts: { 1: 2, 2: 3, 3: 6, 4: 4, 5: 7 } },
] as const;

/** Returns what stands below a heading of depth 2. */
function sectionOf(title: string): string {
  return page.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? "";
}

/** Returns the rows of all tables that are about a criterion: its number, and what stands in the cell of its tests. */
function rowsOf(section: string): readonly { readonly id: string; readonly held: string }[] {
  return section.split("\n").flatMap((line) => {
    const [, id, , held = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return id !== undefined && /^(?:\d+|E)\.\d+$/.test(id) ? [{ id, held }] : [];
  });
}

interface NamedTest {
  readonly file: string;
  readonly name: string;
}

function testsIn(text: string): readonly NamedTest[] {
  return [...text.matchAll(/`(test\/[^`]+\.test\.ts)` "([^"]+)"/g)].map(([, file = "", name = ""]) => ({
    file,
    name,
  }));
}

/** Returns the names of the tests in a file, as the source has them. */
function namesIn(file: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && rootOf(node.expression) === "it") {
      const [name] = node.arguments;
      if (name !== undefined && ts.isStringLiteralLike(name)) names.add(name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest));
  return names;
}

/** Returns the name that a call begins with: `it` for `it(…)`, and for `it.each(…)(…)` too. */
function rootOf(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return rootOf(node.expression);
  return undefined;
}

describe.each(seeds)("the table of $seed", ({ seed, parts }) => {
  const rows = rowsOf(sectionOf(seed));

  it("has a row for each criterion, in order, and no other", () => {
    const wanted = Object.entries(parts).flatMap(([part, count]) =>
      Array.from({ length: count }, (_, index) => `${part}.${index + 1}`),
    );
    expect(rows.map(({ id }) => id)).toEqual(wanted);
  });

  it("names a test in each row", () => {
    expect(rows.filter(({ held }) => testsIn(held).length === 0)).toEqual([]);
  });
});

describe("the tests that docs/traceability.md names", () => {
  const named = testsIn(page);

  it("are all of those that it mentions, each with a file and a name", () => {
    const mentioned = page.match(/`test\/[^`]+`/g)?.filter((path) => path !== "`test/traceability.test.ts`");
    expect(mentioned).toEqual(named.map(({ file }) => `\`${file}\``));
  });

  it("exist", () => {
    const known = new Map(
      [...new Set(named.map(({ file }) => file))].map((file) => [
        file,
        existsSync(file) ? namesIn(file) : new Set<string>(),
      ]),
    );
    expect(named.filter(({ file, name }) => known.get(file)?.has(name) !== true)).toEqual([]);
  });
});
