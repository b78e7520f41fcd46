import { expect, it } from "vitest";
import { blockerTypes, severityOf } from "../../src/work/blocker.ts";
import { recoveryAgentFor, recoveryAgentsFor } from "../../src/work/recovery-agent.ts";

// Seed 1: 9.1
it("each type has its weight and the agents that can clear it", () => {
  expect(blockerTypes.map((type) => [type, severityOf(type), ...recoveryAgentsFor(type)])).toEqual([
    ["build_error", "critical", "cpp-builder"],
    ["test_failure", "high", "tester", "code-editor"],
    ["dependency", "high", "cpp-builder"],
    ["design_issue", "medium", "architect"],
    ["review_blocked", "medium", "code-editor"],
    ["ci_failure", "high", "devops"],
    ["merge_conflict", "critical"],
    ["decision_required", "medium"],
    ["other", "medium"],
  ]);
});

// Seed 1: 9.1
it("the first agent is called first", () => {
  expect([recoveryAgentFor("test_failure"), recoveryAgentFor("merge_conflict")]).toEqual([
    "tester",
    undefined,
  ]);
});
