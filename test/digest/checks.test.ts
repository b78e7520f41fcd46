import { describe, expect, it } from "vitest";
import { judgeWork } from "../../src/digest/judge-work.ts";
import { digestOf, linesOf, morning } from "./digest-of.ts";
import { Story } from "./entries.ts";

describe("the checks of a session", () => {
  it("shows the last result of a check alone: a pass takes the failure before it away", () => {
    expect(linesOf(digestOf(morning()), "Checks")).toEqual(["npm test → Tests 42 passed (42)"]);
    const failed = digestOf(new Story().asks("fix it").runs("npm test", "Tests  1 failed (42)\n", true));
    expect(linesOf(failed, "Checks")[0]).toMatch(/^npm test → failed: .*\(not run again since\)$/);
  });

  it("names a check whose result was hidden, until one is seen", () => {
    const story = new Story().asks("fix it").runs("make test 2>&1 | grep -i cart", "cart\n");
    expect(linesOf(digestOf(story), "Checks")).toEqual(["Run, result not seen: make test"]);
    expect(judgeWork(digestOf(story.says("It is fixed.")))).toBe("done");
    story.runs("make test", "All 12 tests passed\n");
    expect(linesOf(digestOf(story), "Checks")).toEqual(["make test → All 12 tests passed"]);
  });

  it("claims a failure no longer when the same filter shows none", () => {
    const command = 'cargo test 2>&1 | grep -E "FAILED|panicked"';
    const story = new Story()
      .asks("fix it")
      .runs(command, "test result: FAILED. 1 passed; 1 failed; 0 ignored\n");
    expect(linesOf(digestOf(story), "Checks")[0]).toContain("(not run again since)");
    expect(linesOf(digestOf(story.runs(command, "Exit code 1", true)), "Checks")).toEqual([
      "Run, result not seen: cargo test",
    ]);
  });

  it("words a failure as past once other checks of the whole passed and work was committed", () => {
    const story = new Story()
      .asks("fix it")
      .runs("pytest tests/test_cart.py", "Exit code 1\n=== 1 failed in 0.1s ===\n", true)
      .runs("npm test", "Tests  42 passed (42)\n")
      .runs("git commit -am wip", "[main 1111111] wip\n")
      .says("It is in.");
    const digest = digestOf(story);
    expect([linesOf(digest, "Checks"), judgeWork(digest)]).toEqual([
      [
        "npm test → Tests 42 passed (42)",
        "Failed before other runs passed and work was committed: pytest tests/test_cart.py",
      ],
      "done",
    ]);
  });
});
