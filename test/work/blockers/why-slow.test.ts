import { expect, it } from "vitest";
import { whySlow } from "../../../src/work/blockers/why-slow.ts";
import { blockerIn } from "../../support/outcomes.ts";

it.each([
  "^error: .*$",
  "error: (?:foo|bar)",
  "^(?:\\d+>)?\\S+ : error [A-Z]{1,5}\\d+: .+",
  "a+b+",
  "(?<name>ab){3}",
  "[(+*)]\\(\\+\\*\\)",
  "^\\w+ (?:is|was) \\w+ by \\w+$",
  "(?:a?b)?",
])("takes %j for fast", (source) => {
  expect([new RegExp(source) instanceof RegExp, whySlow(source)]).toEqual([true, undefined]);
});

it.each([
  ...["(a+)+", "(?:a*)*b", "((ab)+)*", "(a|b)+", "^(?:a|aa){2,}$", "(a?){20}", "((a|b))+", "(?:(?:x+))+"],
  ...["(?=(a+))+x", "(?<n>a+){3}"],
])("takes %j for slow, since a group repeats in another way than one", (source) => {
  expect([new RegExp(source) instanceof RegExp, whySlow(source)]).toEqual([
    true,
    "it repeats a group that itself repeats or chooses something",
  ]);
});

it.each(["(a)\\1", "(?<n>a)\\k<n>"])("takes %j for slow, since it refers back", (source) => {
  expect(whySlow(source)).toBe("it refers back to a group");
});

it.each(["^.*a.*b.*c.*d", "x.*a.*b.*c", "^x|a+b+c+d", ".{0,300}a.{1,}b\\w{17}c"])(
  "takes %j for slow, since too much repeats",
  (source) => {
    expect(whySlow(source)).toBe("it has too many `*` and `+`");
  },
);

it("tells of every pattern in bounded time", () => {
  const nested = `${"(".repeat(250)}a${")".repeat(249)})`;
  expect([whySlow(nested), whySlow("(".repeat(499))]).toEqual([undefined, undefined]);
});

it("is not needed to end a search: a rule that is too slow for an output counts as not matching", () => {
  const slow = {
    tool: "x",
    type: "other",
    certainty: "summary",
    pattern: /^(a+)+$/,
    resolution: "",
  } as const;
  const output = `${"a".repeat(100)}b\nmain.c:3:5: error: x\n`;
  expect(blockerIn({ command: "make", exitCode: 2, output }, [slow])?.type).toBe("build_error");
});
