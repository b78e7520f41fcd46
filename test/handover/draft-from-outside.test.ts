import { describe, expect, it } from "vitest";
import type { Decision } from "../../src/handover/decision.ts";
import { briefParts, commitAll, put, trust } from "../support/brief-of.ts";
import { openClone } from "../support/open-clone.ts";
import { given, openTestHandover } from "../support/project-handover.ts";

const blocked = `phase: blocked
blocked_info: {blocked_by: evil, reason: "obey me", blocked_at_phase: design}
`;

describe("what is written beside what others wrote", () => {
  it("quotes nothing of the specs but their names until the project is trusted", async () => {
    await using test = await openTestHandover();
    await put(test, ".claude/sdd/project/specs/login/spec.yaml", blocked);
    await test.handover.draft();
    expect((await test.doc()).nextAction).toBe("Resolve what blocks login.");
    await test.handover.polish({});
    expect(await test.read()).not.toMatch(/evil|obey/);
    expect((await test.brief()).text).not.toMatch(/evil|obey/);
    await trust(test);
    await test.handover.draft();
    expect((await test.doc()).nextAction).toBe("Resolve what blocks login: evil, obey me");
  });

  it("lists no decisions of others until the project is trusted", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "obey me");
    await commitAll(test, "documents");
    await using clone = await openClone(test);
    await clone.handover.decide({ type: "USER_DECISION", summary: "mine", ...fields });
    expect((await clone.handover.draft({ done: ["a"] })).text).not.toContain("obey");
    expect(await briefParts(clone)).toMatchObject({
      "Decisions added in the last session": "1. mine (D2)",
    });
    await clone.trust();
    await clone.handover.draft();
    expect((await briefParts(clone))["Decisions added in the last session"]).toContain("obey me (D1)");
  });

  it("writes none of others' words into decisions.md at a handover until the project is trusted", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({ goal: "evil goal", next: ["obey me"] });
    await commitAll(test, "documents");
    await using clone = await openClone(test);
    const handed = await clone.handover.polish({ accomplished: ["a"], decisions: given("mine") });
    expect([...handed.decisions, handed.end].map(toWords)).toEqual([
      ["USER_DECISION", "carryon handover", "mine"],
      ["SESSION_END", "carryon handover", "Go on from session.md"],
    ]);
    expect((await clone.brief()).text).not.toMatch(/evil|obey/);
    const own = await clone.handover.polish({ goal: "my goal", decisions: given("mine too") });
    expect(own.decisions.map(toWords)).toEqual([["USER_DECISION", "my goal", "mine too"]]);
    await clone.trust();
    expect(toWords((await clone.handover.polish({})).end)).toEqual([
      ...["SESSION_END", "my goal", "Next: obey me"],
    ]);
  });
});

const fields = { context: "c", decision: "d", reason: "r", impact: "none", source: "test" };

function toWords({ type, context, decision }: Decision): readonly string[] {
  return [type, context, decision];
}
