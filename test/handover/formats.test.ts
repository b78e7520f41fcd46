import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseBuffer, rewriteBuffer } from "../../src/handover/buffer/buffer-doc.ts";
import { renderDecision } from "../../src/handover/decision.ts";
import { parseDecisions } from "../../src/handover/decisions/parse-decisions.ts";
import { addKnowledge } from "../../src/handover/notes.ts";
import { parseSession } from "../../src/handover/parse-session.ts";
import { nextAction } from "../../src/handover/pipeline/next-action.ts";
import { parseVerdicts } from "../../src/handover/pipeline/parse-verdicts.ts";
import { parseSpec } from "../../src/handover/pipeline/spec-file.ts";
import { renderSession } from "../../src/handover/session/rewrite-session.ts";
import { emptySession } from "../../src/handover/session-doc.ts";
import { composeBrief } from "../../src/memory/brief/compose-brief.ts";
import { renderBrief } from "../../src/memory/render-brief.ts";

/** Returns the examples that a page shows. */
function examplesOf(page: string): readonly string[] {
  const text = readFileSync(`docs/formats/${page}`, "utf8");
  return [...text.matchAll(/^(`{3,})\w*\n(.*?)^\1$/gms)].map((match) => match[2] ?? "");
}

// Seed 0: 3.1, 3.2, 3.3, 3.4, 3.5
it("shows a session.md that is read without a problem and written just so", () => {
  const [example = ""] = examplesOf("handover-session.md");
  const { doc, problems } = parseSession(example);
  expect(problems).toEqual([]);
  expect(renderSession(doc)).toBe(example);
});

// Seed 0: 4.1
it("shows a decisions.md that is read without a problem and written just so", () => {
  const [example = ""] = examplesOf("handover-decisions.md");
  const { decisions, problems } = parseDecisions(example);
  expect(problems).toEqual([]);
  expect(decisions.map((decision) => `${renderDecision(decision)}\n`).join("\n")).toBe(example);
});

// Seed 0: 5.1, 5.2
it("shows a buffer.md that is read without a problem and written just so, and the knowledge that it becomes", () => {
  const [example = "", knowledge = ""] = examplesOf("handover-buffer.md");
  const { doc, problems } = parseBuffer(example);
  expect(problems).toEqual([]);
  expect(rewriteBuffer(undefined, doc)).toBe(example);
  const [first] = doc.notes;
  if (first === undefined) throw new Error("The example has no note.");
  const notes = [first, { ...first, source: "mail Builder, task 5" }];
  expect(addKnowledge(undefined, notes)).toBe(knowledge);
});

it("shows files of a pipeline that are read without a problem, and every next action", () => {
  const [yaml = "", markdown = ""] = examplesOf("handover-pipeline.md");
  const { spec, problems } = parseSpec("login", yaml);
  expect(problems).toEqual([]);
  const { batches } = parseVerdicts(markdown);
  expect(batches.map(({ id, tracked }) => `${id}: ${tracked.length}`)).toEqual(["B1: 1", "B2: 1"]);
  if (spec === undefined) throw new Error("The example is no spec.");
  const latest = batches.at(-1);
  const shown = readFileSync("docs/formats/handover-pipeline.md", "utf8");
  const filled = (["blocked", "initialized", "design-generated", "implementation-complete"] as const).map(
    (phase) => nextAction({ specs: [{ ...spec, phase, latest }], hasRoadmap: true }),
  );
  for (const action of filled) {
    const general = action
      ?.replace("login", "{name}")
      .replace("accounts, the schema is not decided", "{blocked_by}, {reason}");
    expect(shown).toContain(`\`${general}\``);
  }
});

it("shows a brief as it is rendered", () => {
  const [example = ""] = examplesOf("handover-brief.md");
  const now = new Date("2026-11-16T12:00:00Z");
  const at = new Date("2026-11-13T12:00:00Z");
  const session = {
    ...emptySession,
    nextAction: "/sdd-impl login",
    warnings: "- The test server forgets its keys at each start.",
  };
  const drift = { commits: 2, gone: [], branch: undefined };
  const next = [{ text: session.nextAction, at, branch: undefined, isGiven: true }];
  const parts = composeBrief({ now, session: { value: session, at, origin: { type: "own" } }, next, drift });
  expect(renderBrief(parts, { budget: 2000, now }).text).toBe(example);
  expect(renderBrief([], { budget: 0, now }).tokens).toBeLessThan(150);
});
