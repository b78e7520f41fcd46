import { expect, it } from "vitest";
import { parseWorkflowStatus } from "../../src/outcomes/workflow-status.ts";
import { blockerAfter } from "../support/outcomes.ts";

const at = new Date(0);

const block = (status: string) =>
  `[WORKFLOW_STATUS]\nstatus: ${status}\ncontext: Qt6 is missing\nnext_hint: install it\n`;

it.each(["READY", "BLOCKED", "FAILED", "DECISION_NEEDED"] as const)(
  "reads a block that says %s",
  (status) => {
    expect(parseWorkflowStatus(`Done.\n\n${block(status)}`)).toEqual({
      status,
      context: "Qt6 is missing",
      nextHint: "install it",
    });
  },
);

it.each([
  ["in a fence", "```\n[WORKFLOW_STATUS]\nstatus: FAILED\n```\nstatus: READY", { status: "FAILED" }],
  [
    "as a list in bold",
    "**[WORKFLOW_STATUS]**\n- **status**: `BLOCKED`\n- **context**: 결정이 필요함",
    { status: "BLOCKED", context: "결정이 필요함" },
  ],
  ["with CR LF", "[WORKFLOW_STATUS]\r\nstatus: FAILED\r\ncontext: x\r\n", { status: "FAILED", context: "x" }],
  ["in small letters", "[WORKFLOW_STATUS]\nStatus: failed", { status: "FAILED" }],
  [
    "the last of two",
    `${block("FAILED")}\ntext\n${block("READY")}`,
    { status: "READY", context: "Qt6 is missing", nextHint: "install it" },
  ],
])("reads a block %s", (_, text, status) => {
  expect(parseWorkflowStatus(text)).toEqual(status);
});

it.each([
  ["a template", "[WORKFLOW_STATUS]\nstatus: READY|BLOCKED|FAILED|DECISION_NEEDED\n"],
  ["an unknown status", "[WORKFLOW_STATUS]\nstatus: DONE\n"],
  ["a mention in a sentence", "Each agent ends with [WORKFLOW_STATUS] and\nstatus: FAILED\n"],
  ["a status without a block", "status: FAILED\n"],
  ["an empty block", "[WORKFLOW_STATUS]\n"],
  ["a status far below", `[WORKFLOW_STATUS]\n${"text\n".repeat(20)}status: FAILED\n`],
])("finds no status in %s", (_, text) => {
  expect(parseWorkflowStatus(text)).toBeUndefined();
});

// Seed 1: 4.1, 4.3, 4.4
it.each([
  ["cpp-builder", "FAILED", "build_error"],
  ["cpp-builder", "BLOCKED", "build_error"],
  ["tester", "FAILED", "test_failure"],
  ["plugin:tester", "BLOCKED", "test_failure"],
  ["code-reviewer", "BLOCKED", "review_blocked"],
  ["reviewer-security", "FAILED", "review_blocked"],
  ["devops", "FAILED", "ci_failure"],
  ["architect", "FAILED", "review_blocked"],
  ["previewer", "FAILED", "review_blocked"],
  ["go-build", "FAILED", "build_error"],
  ["qa_engineer", "FAILED", "test_failure"],
  ["ci-watcher", "BLOCKED", "ci_failure"],
  ["tester", "DECISION_NEEDED", "decision_required"],
  ["architect", "DECISION_NEEDED", "decision_required"],
  ["tester", "READY", undefined],
] as const)("%s with %s is %s", (agent, status, type) => {
  expect(blockerAfter([{ agent, text: block(status), at }])?.type).toBe(type);
});

// Seed 1: 4.2
it("makes a blocker of a status, with the agent's hint as its resolution", () => {
  expect(blockerAfter([{ agent: "cpp-builder", text: block("FAILED"), at }])).toEqual({
    type: "build_error",
    severity: "critical",
    description: "The agent cpp-builder ended FAILED: Qt6 is missing",
    errorPattern: "status: FAILED",
    resolution: "install it",
    detectedAt: at,
    isAutoDetected: true,
    recoveryAgent: "cpp-builder",
    recoveryAttempted: 0,
    maxRecoveryAttempts: 3,
  });
});
