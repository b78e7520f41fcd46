import { describe, expect, it } from "vitest";
import { isDerivedAction } from "../../../src/handover/next-step.ts";
import {
  completeWaves,
  isRoadmapActive,
  nextAction,
  type PipelineSpec,
} from "../../../src/handover/pipeline/next-action.ts";

const tracking = (tracked: readonly string[], disposition = "NO-GO") => ({
  ...{ id: "B1", review: "impl", at: "", disposition, tracked },
});
const spec = (name: string, given: Partial<PipelineSpec> = {}): PipelineSpec => ({
  name,
  phase: "initialized",
  blocked: undefined,
  wave: 1,
  dependencies: [],
  latest: undefined,
  ...given,
});
const done = { phase: "implementation-complete" as const };
const blocked = {
  phase: "blocked" as const,
  blocked: { by: "b", reason: "no schema", atPhase: "initialized" },
};

describe("nextAction", () => {
  // Seed 0: 1.3
  it.each([
    { case: "nothing without specs", specs: [], action: undefined },
    { case: "the design of a new spec", specs: [spec("a")], action: "/sdd-design a" },
    { case: "what was designed", specs: [spec("a", { phase: "design-generated" })], action: "/sdd-impl a" },
    { case: "nothing when all is complete", specs: [spec("a", done)], action: undefined },
    {
      case: "open findings",
      specs: [spec("a", { ...done, latest: tracking(["x"]) })],
      action: "/sdd-review a",
    },
    {
      case: "nothing for findings that are closed",
      specs: [spec("a", { ...done, latest: tracking([]) })],
      action: undefined,
    },
    { case: "what blocks", specs: [spec("a", blocked)], action: "Resolve what blocks a: b, no schema" },
    {
      case: "a block without a reason",
      specs: [spec("a", { phase: "blocked" })],
      action: "Resolve what blocks a.",
    },
    { case: "nothing of an unknown phase", specs: [spec("a", { phase: "unknown" })], action: undefined },
    {
      case: "the lowest wave",
      specs: [spec("a", { wave: 10 }), spec("b", { wave: 9 })],
      action: "/sdd-design b",
    },
    {
      case: "a wave before no roadmap",
      specs: [spec("a", { wave: null }), spec("b", { wave: 3 })],
      action: "/sdd-design b",
    },
    {
      case: "specs on no roadmap by name",
      specs: [spec("b", { wave: null }), spec("a", { wave: null })],
      action: "/sdd-design a",
    },
    {
      case: "a lower wave before a block",
      specs: [spec("a", { ...blocked, wave: 2 }), spec("b")],
      action: "/sdd-design b",
    },
    {
      case: "a block before the rest of its wave",
      specs: [spec("a"), spec("b", blocked)],
      action: "Resolve what blocks b: b, no schema",
    },
    {
      case: "what waits for nothing",
      specs: [spec("a", { dependencies: ["b"] }), spec("b")],
      action: "/sdd-design b",
    },
    {
      case: "what waited and need not",
      specs: [spec("a", { dependencies: ["b"] }), spec("b", done)],
      action: "/sdd-design a",
    },
    {
      case: "findings of a lower wave",
      specs: [spec("a", { wave: 2 }), spec("b", { ...done, latest: tracking(["x"]) })],
      action: "/sdd-review b",
    },
    ...["CONDITIONAL", "GO-ACCEPTED"].map((disposition) => ({
      case: `the next wave before findings that a review let pass: ${disposition}`,
      specs: [spec("a", { wave: 2 }), spec("b", { ...done, latest: tracking(["x"], disposition) })],
      action: "/sdd-design a",
    })),
    {
      case: "findings that a review let pass when nothing else is open",
      specs: [spec("b", { ...done, latest: tracking(["x"], "CONDITIONAL") })],
      action: "/sdd-review b",
    },
  ])("calls for $case", ({ specs, action }) => {
    expect(nextAction({ specs, hasRoadmap: true })).toBe(action);
    expect(nextAction({ specs: specs.toReversed(), hasRoadmap: true })).toBe(action);
    if (action !== undefined) expect(isDerivedAction(action)).toBe(true);
  });
});

// Seed 0: 6.6
it("has an active roadmap while one is there and a spec is not complete", () => {
  const [open, complete] = [[spec("a", done), spec("b")], [spec("a", done)]];
  expect(
    [open, complete, []].map((specs) =>
      [true, false].map((hasRoadmap) => isRoadmapActive({ specs, hasRoadmap })),
    ),
  ).toEqual([
    [true, false],
    [false, false],
    [false, false],
  ]);
});

// Seed 0: 5.6
it("knows the waves of which all is complete", () => {
  const specs = [
    spec("a", { ...done, wave: 10 }),
    spec("b", { ...done, wave: 2 }),
    spec("c", { ...done, wave: 3 }),
    spec("d", { ...blocked, wave: 3 }),
    spec("e", { ...done, wave: null }),
  ];
  expect(completeWaves({ specs, hasRoadmap: true })).toEqual([2, 10]);
});
