import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Decision,
  decisionTypes,
  MissingField,
  type NewDecision,
  renderDecision,
  renderTime,
  toDecisionText,
} from "../../../src/handover/decision.ts";
import { decisionReferences } from "../../../src/handover/decisions/decision-references.ts";
import { type FoundDecision, parseDecisions } from "../../../src/handover/decisions/parse-decisions.ts";
import { saysNothing } from "../../../src/lib/markdown/fold.ts";
import { nastyText } from "../nasty-text.ts";

const says = nastyText.map((text) =>
  saysNothing(toDecisionText({ ...full, summary: `x${text}` }).summary.slice(1)) ? "x" : text,
);

const full: NewDecision = {
  type: "STEERING_EXCEPTION",
  summary: "a summary",
  context: "a context",
  decision: "a decision",
  reason: "a reason",
  impact: "an impact",
  source: "a person",
  steeringRef: "tech.md",
};

const anyDecision: fc.Arbitrary<Decision> = fc
  .record({
    seq: fc.nat(),
    at: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((at) => renderTime(at, 540)),
    draft: fc.record({
      type: fc.constantFrom(...decisionTypes),
      summary: says,
      context: says,
      decision: says,
      reason: says,
      impact: says,
      source: says,
      steeringRef: says,
    }),
  })
  .map(({ seq, at, draft }) => ({ seq, at, type: draft.type, ...toDecisionText(draft) }));

const plain = ({ line: _line, raw: _raw, isStruck: _isStruck, ...decision }: FoundDecision): Decision =>
  decision;

describe("decisions that are rendered", () => {
  it("are read back as they were, whatever their fields hold", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyDecision, { selector: ({ seq }) => seq }), (decisions) => {
        const text = decisions.map((decision) => `${renderDecision(decision)}\n`).join("\n");
        const parsed = parseDecisions(text);
        expect(parsed.decisions.map(plain)).toEqual(decisions);
        expect(parsed.problems).toEqual([]);
      }),
    );
  });

  it("are read from CRLF as from LF", () => {
    fc.assert(
      fc.property(fc.array(anyDecision), (decisions) => {
        const text = decisions.map((decision) => `${renderDecision(decision)}\n`).join("\n");
        const parsed = parseDecisions(text.replaceAll("\n", "\r\n"));
        expect(parsed.decisions).toEqual(parseDecisions(text).decisions);
      }),
    );
  });
});

describe("parseDecisions", () => {
  it("reads what others have written: gaps, times that go back, types of their own, values over several lines", () => {
    const text = [
      "# Decisions",
      "",
      "[2026-02-20T14:00:00Z] D7: SESSION_START | Resume session",
      "- Context: all specs are complete",
      "",
      "[2026-02-20 09:00] D3: HOUSE_RULE | 方針 | with a bar",
      "* context: a first line",
      "  and a second one",
      "- Owner: somebody",
      "  who is not read",
      "- Decision: yes",
      "- Decision: no",
      "  not read either",
      "",
      "A loose paragraph.",
      "```",
      "~~[2026-02-21T00:00:00+09:00] D12: USER_DECISION | taken back~~",
      "- Reason: a better one came",
    ].join("\n");
    const empty = {
      summary: "",
      context: "",
      decision: "",
      reason: "",
      impact: "",
      source: "",
      steeringRef: "",
    };
    expect(parseDecisions(text)).toEqual({
      problems: [],
      decisions: [
        {
          ...empty,
          seq: 7,
          at: "2026-02-20T14:00:00Z",
          type: "SESSION_START",
          summary: "Resume session",
          context: "all specs are complete",
          isStruck: false,
          line: 3,
          raw: text.split("\n").slice(2, 4).join("\n"),
        },
        {
          ...empty,
          seq: 3,
          at: "2026-02-20 09:00",
          type: "HOUSE_RULE",
          summary: "方針 | with a bar",
          context: "a first line\nand a second one",
          decision: "yes",
          isStruck: false,
          line: 6,
          raw: text.split("\n").slice(5, 13).join("\n"),
        },
        {
          ...empty,
          seq: 12,
          at: "2026-02-21T00:00:00+09:00",
          type: "USER_DECISION",
          summary: "taken back",
          reason: "a better one came",
          isStruck: true,
          line: 17,
          raw: text.split("\n").slice(16).join("\n"),
        },
      ],
    });
  });

  it("reports numbers that are there twice, entries that were cut off, and the marks of a merge, with their lines", () => {
    const text = [
      "[2026-01-01T00:00:00Z] D1: SESSION_START | first",
      "<<<<<<< HEAD",
      "[2026-01-02T00:00:00Z] D2: USER_DECISION | ours",
      "=======",
      "[2026-01-03T00:00:00Z] D2: USER_DECISION | theirs",
      ">>>>>>> theirs",
      "[2026-01-04T00:00:00Z] D3",
      "[2026-01-04T00:00:00Z] D4: ",
    ].join("\n");
    const mark = (line: number) => ({
      code: "conflict-marker",
      line,
      message: "a git merge left its mark here",
    });
    expect(parseDecisions(text).problems).toEqual([
      mark(2),
      mark(4),
      mark(6),
      { code: "torn-entry", line: 7, message: "the entry D3 was cut off when it was written" },
      { code: "torn-entry", line: 8, message: "the entry D4 was cut off when it was written" },
      { code: "repeated-number", line: 5, message: "D2 is also in line 3" },
    ]);
  });
});

describe("toDecisionText", () => {
  const missing = (type: NewDecision["type"], without: string, field = without) =>
    ({ case: `${type} without ${without}`, draft: { ...full, type, [without]: " \n " }, field }) as const;

  // Seed 0: 4.2, 4.4
  it.each([
    missing("USER_DECISION", "summary"),
    missing("USER_DECISION", "context"),
    missing("STEERING_UPDATE", "decision"),
    missing("DIRECTION_CHANGE", "reason"),
    missing("ESCALATION_RESOLVED", "impact"),
    missing("REVISION_INITIATED", "source"),
    missing("STEERING_EXCEPTION", "steeringRef"),
    missing("SESSION_END", "context"),
  ])("refuses $case, and names the field", ({ draft, field }) => {
    let thrown: unknown;
    try {
      toDecisionText(draft);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(MissingField);
    expect(thrown).toMatchObject({ kind: "usage", code: "missing-field", field });
  });

  // Seed 0: 4.4
  it.each(["SESSION_START", "SESSION_END"] as const)("lets %s go without reason and impact", (type) => {
    const { reason: _reason, impact: _impact, steeringRef: _ref, ...rest } = full;
    const draft = { ...rest, type };
    const { type: _type, ...text } = draft;
    expect(toDecisionText(draft)).toEqual({ ...text, reason: "", impact: "", steeringRef: "" });
  });

  it("folds a value to one line", () => {
    expect(toDecisionText({ ...full, context: "one\r\n  two\n\n- Reason: forged\u2028three" }).context).toBe(
      "one two - Reason: forged three",
    );
  });
});

it.each([
  { text: "1. granularity (ref D2)", numbers: [2] },
  { text: "9-16: several (D8-D16)", numbers: [8, 9, 10, 11, 12, 13, 14, 15, 16] },
  { text: "**D216**: one, D4/D7", numbers: [216, 4, 7] },
  { text: "Template (D179, D180–D181)", numbers: [179, 180, 181] },
  { text: "~~taken back (D5)~~", numbers: [5] },
  { text: "ID5, D5x, 3D2, no number D", numbers: [] },
  { text: "backwards D9-D2", numbers: [9] },
])("finds in $text the decisions $numbers", ({ text, numbers }) => {
  expect(decisionReferences(text)).toEqual(numbers);
});

// Seed 0: 4.1
it("writes times with their offset", () => {
  const at = new Date("2026-02-20T23:30:15.900Z");
  expect([renderTime(at, 0), renderTime(at, 540), renderTime(at, -210)]).toEqual([
    "2026-02-20T23:30:15+00:00",
    "2026-02-21T08:30:15+09:00",
    "2026-02-20T20:00:15-03:30",
  ]);
});
