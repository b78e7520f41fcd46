import type { Goal } from "../goal.ts";
import { type Scope, without } from "./scope-of.ts";
import { reporters, separateSuite } from "./tools.ts";

/** What is known of a step when its result is held against another's. */
export interface Judged {
  /** What the step is run for. */
  readonly goal: Goal;
  /** What failed in it. */
  readonly failed?: Goal;
  /** The kind of tool whose words said that it failed. */
  readonly reporter?: string | undefined;
  readonly scope: Scope;
}

/** Goals that any pass reaches, whatever it names: a slip in a name is put right by another name. */
const whole: ReadonlySet<Goal> = new Set(["install", "commit", "merge", "ci", "review", "decision"]);

/** Tells whether a step that passed shows that an earlier failure is over. */
export function covers(pass: Judged, failure: Judged): boolean {
  const failed = failure.failed ?? failure.goal;
  if (pass.scope.isApproved) return pass.goal === failed || pass.goal === failure.goal;
  if (!isSamePlace(pass.scope, failure.scope)) return false;
  // A commit ends a merge, and what an install lacked is there when the command that wanted it passes.
  if (failed === "merge") return pass.goal === "merge" || pass.goal === "commit";
  if (!reaches(pass, failed, failure.goal)) return false;
  if (whole.has(pass.goal)) return pass.goal === failed && isSameLanguage(pass.scope, failure.scope);
  return isSameCode(pass.scope, failure) && isWider(pass.scope, failure.scope);
}

function reaches({ goal, scope }: Judged, failed: Goal, ranFor: Goal): boolean {
  // A build tells of tests only where it runs them: `mvn package -DskipTests` does not.
  if (failed === "test" && goal === "build" && !scope.isRunner) return scope.implies === "test";
  return goal === ranFor || goal === failed || scope.implies === failed;
}

/** Returns the failed cases of a test run that a narrower run which passed does not name. */
export function remainingCases(pass: Judged, failure: Judged, cases: readonly string[]): readonly string[] {
  const isSameTests = pass.goal === "test" && isSamePlace(pass.scope, failure.scope);
  if (!isSameTests || !isSameLanguage(pass.scope, failure.scope)) return cases;
  const { targets, names } = pass.scope;
  const chosen = names.filter((name) => !name.startsWith(without));
  const patterns = chosen.flatMap((name) => name.replace(/^\S+ /, "").split("|"));
  return cases.filter((each) => {
    const isTarget = targets.some((target) => isInside(target, each) || each.endsWith(`::${target}`));
    const isName = patterns.some((pattern) => pattern.replace(/[$^]/g, "") === each);
    return names.length > 0 ? !isName : !isTarget;
  });
}

function isSameLanguage(one: Scope, other: Scope): boolean {
  return one.ecosystem === undefined || other.ecosystem === undefined || one.ecosystem === other.ecosystem;
}

/** A folder that is not known may be any. A check of a folder covers the folders inside. */
function isSamePlace({ place: passed }: Scope, { place: failed }: Scope): boolean {
  if (passed === undefined || failed === undefined || passed === failed) return true;
  if (passed.startsWith("/") && failed.startsWith("/")) return failed.startsWith(`${passed}/`);
  // One may be written from the root, another from the project.
  const last = (path: string) => path.split("/").at(-1) ?? "";
  return /^\.{0,2}$/.test(last(passed)) || /^\.{0,2}$/.test(last(failed)) || last(passed) === last(failed);
}

/** Tells whether two steps check the same code with the same tools, in whatever spelling. */
function isSameCode(pass: Scope, { scope: failure, reporter = "" }: Judged): boolean {
  if (!isSameLanguage(pass, failure)) return false;
  if (!isSameSuite(pass.variant, failure.variant)) return false;
  return pass.isRunner === true || pass.tool === failure.tool || isRunBy(pass.tool, failure, reporter);
}

function isSameSuite(passed: string | undefined, failed: string | undefined): boolean {
  if (passed === failed || /^(?:all|ci|full)$/.test(passed ?? "")) return true;
  return passed === undefined && !separateSuite.test(failed ?? "");
}

/** A build runs compilers, and a task runs the tool whose words said that it failed. */
function isRunBy(tool: string, failure: Scope, reporter: string): boolean {
  if (tool === "make") return failure.tool === "compiler" || failure.tool === "configure";
  return failure.isRunner === true && reporters[tool]?.test(reporter) === true;
}

/** Tells whether all that a failed step names is named by the one that passed, or lies in what it names. */
function isWider(pass: Scope, failure: Scope): boolean {
  const isNamed = (names: readonly string[], name: string, fits: (one: string, other: string) => boolean) =>
    names.length === 0 || names.some((each) => fits(each, name));
  const targets = failure.targets.length === 0 ? [""] : failure.targets;
  const names = failure.names.length === 0 ? [""] : failure.names;
  return (
    targets.every((target) => isNamed(pass.targets, target, isInside)) &&
    names.every((name) => isNamed(pass.names, name, isChosen))
  );
}

/** `test` and `./test/...` hold `test/a.ts`, and `a.ts` holds `a.ts:12`. */
function isInside(outer: string, inner: string): boolean {
  const plain = (path: string) =>
    path.replace(/^\.\//, "").replace(/\/?(?:\.\.\.|\*\*?(?:\/\*)?(?:\.\w+)?)?$/, "");
  const [one, other] = [plain(outer), plain(inner)];
  return one === other || (other.startsWith(one) && /^[/:]/.test(other.slice(one.length)));
}

/** `-run "A|B"` chooses what `-run A` does. */
function isChosen(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  const [option, pattern = ""] = outer.split(" ", 2);
  return inner.startsWith(`${option} `) && pattern.split("|").includes(inner.slice(`${option} `.length));
}
