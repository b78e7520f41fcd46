import { expect, it } from "vitest";
import { findUnknownDecisions } from "../../../src/handover/examine-documents.ts";

it("reports references to decisions that do not exist, with their lines", () => {
  const text =
    "### Key Decisions\n- one (D1)\n- several (D2-D4)\n### Steering Exceptions\n- x (D9)\n### Warnings\n- D99\n";
  expect(findUnknownDecisions(text, new Set([1, 2, 3]))).toEqual([
    { code: "unknown-decision", line: 3, message: "there is no decision D4" },
    { code: "unknown-decision", line: 5, message: "there is no decision D9" },
  ]);
});
