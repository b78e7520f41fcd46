import type { OwnRule, Rule } from "../rule.ts";
import { buildRules, lintRules } from "../rules/build-rules.ts";
import { ciRules } from "../rules/ci-rules.ts";
import { dependencyRules } from "../rules/dependency-rules.ts";
import { gitRules } from "../rules/git-rules.ts";
import { testRules, testScriptRules } from "../rules/test-rules.ts";
import type { StepKind } from "./step-kind.ts";

/** Every rule: one row for each kind of tool. */
export const rules: readonly Rule[] = [
  ...dependencyRules,
  ...buildRules,
  ...lintRules,
  ...testRules,
  ...testScriptRules,
  ...gitRules,
  ...ciRules,
];

/** The tables that are read for a kind of step, the most telling first. */
const tables: Readonly<Record<StepKind, readonly (readonly Rule[])[]>> = {
  build: [dependencyRules, testRules, lintRules, buildRules],
  test: [dependencyRules, testRules, buildRules, lintRules, testScriptRules],
  lint: [dependencyRules, lintRules, buildRules, testRules],
  install: [dependencyRules, buildRules],
  run: [dependencyRules, buildRules],
  script: [testRules, dependencyRules, buildRules, lintRules],
  commit: [gitRules, dependencyRules, testRules, lintRules, buildRules],
  merge: [gitRules],
  "git-status": [gitRules],
  ci: [ciRules],
  view: [],
  quiet: [],
  other: [],
};

/** Returns the rules of a kind of step, the most telling first. */
export function rulesOf(kind: StepKind): readonly Rule[] {
  return tables[kind].flat();
}

/** How a step ended, as far as its exit code tells. */
export type Ending = "well" | "badly" | "unknown";

/** What a rule found. */
export interface Finding {
  readonly rule: Pick<Rule, "tool" | "goal" | "type" | "severity" | "resolution">;
  readonly line?: string;
}

/**
 * What any pattern of a table matches, as one pattern: most lines of a long output match none, and to ask once is fast.
 *
 * Every pattern begins at the start of the line, so the joined one is only tried there.
 */
const anyOf = new Map(
  [...new Set(Object.values(tables).flat())].map((table) => {
    const patterns = table.flatMap((rule) => [rule.pattern, rule.detail, rule.passed, rule.partPassed]);
    const sources = patterns.flatMap((pattern) => (pattern === undefined ? [] : [pattern.source]));
    return [table, new RegExp(sources.join("|"), "y")];
  }),
);

/** Tells whether any rule of a kind of step has to do with a line. */
export function isTelling(line: string, kind: StepKind): boolean {
  return line !== "" && tables[kind].some((table) => matches(anyOf.get(table), line));
}

function matches(pattern: RegExp | undefined, line: string): boolean {
  if (pattern === undefined) return false;
  pattern.lastIndex = 0;
  return pattern.test(line);
}

/** The kinds of step that the rules of a user are for. */
const kindsOfOwn: ReadonlySet<StepKind> = new Set(["build", "test", "lint", "install", "run", "script"]);

/** What a rule is looked for in. */
interface Search {
  readonly kind: StepKind;
  readonly ending: Ending;
  /** The user's own rules, which come before all others. */
  readonly own?: readonly OwnRule[] | undefined;
}

/** Returns the first rule, in the order of the kind of step, that an output matches. */
export function findRule(lines: readonly string[], { kind, ending, own = [] }: Search): Finding | undefined {
  const ownRules = kindsOfOwn.has(kind) ? own.filter((rule) => applies(rule, kind, ending)) : [];
  const found = findOwnRule(ownRules, lines);
  if (found !== undefined) return found;
  const telling = lines.filter((line) => isTelling(line, kind));
  const lastOf = (pattern: RegExp | undefined) =>
    pattern === undefined ? -1 : telling.findLastIndex((line) => pattern.test(line));
  const rule = rulesOf(kind)
    .filter((each) => applies(each, kind, ending))
    .find(({ pattern, passed }) => lastOf(pattern) > (ending === "badly" ? -1 : lastOf(passed)));
  const line =
    telling.find((each) => rule?.detail?.test(each)) ?? telling.find((each) => rule?.pattern.test(each));
  return rule === undefined || line === undefined ? undefined : { rule, line };
}

function applies(
  { kinds, certainty }: Pick<Rule, "kinds" | "certainty">,
  kind: StepKind,
  ending: Ending,
): boolean {
  if (kinds !== undefined && !kinds.includes(kind)) return false;
  if (certainty === "summary") return kind !== "script" || ending === "badly";
  if (kind === "script" || kind === "merge") return false;
  return ending === "badly" || kind === "build" || kind === "lint";
}

/** Returns the first of a user's own rules that a line of an output matches, and that line. */
function findOwnRule(
  own: readonly OwnRule[],
  lines: readonly string[],
): { readonly rule: OwnRule; readonly line: string } | undefined {
  for (const rule of own) {
    const line = lines.find((each) => rule.pattern.test(each.slice(0, rule.within)));
    if (line !== undefined) return { rule, line };
  }
  return undefined;
}
