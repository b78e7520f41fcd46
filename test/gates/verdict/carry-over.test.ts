import { describe, expect, it } from "vitest";
import type { Gate } from "../../../src/gates/gate.ts";
import { carryOver } from "../../../src/gates/verdict/after-tool.ts";
import {
  blocking,
  configOf,
  dynamic,
  factsOf,
  later,
  moment,
  other,
  own,
  put,
} from "../../support/gates/gates.ts";

const satisfied = { satisfied: true, satisfiedAt: later(-60), satisfiedBy: "skill" } as const;

describe("carrying over", () => {
  it("takes what the session before had satisfied, and says so", () => {
    const facts = factsOf([
      put(other, { ...satisfied, triggered: true, metadata: { ticket: "#1", full_id: other } }),
    ]);
    expect(carryOver(configOf([blocking()]), facts, other)).toEqual([
      put(own, {
        satisfied: true,
        satisfiedAt: moment,
        satisfiedBy: "carry_over",
        metadata: { ticket: "#1", carried_from: other, full_id: own },
      }),
    ]);
  });

  it("keeps the moment at which it expires", () => {
    const facts = factsOf([put(other, { ...satisfied, expiresAt: later(10) }, dynamic())]);
    const [change] = carryOver(configOf([dynamic()]), facts, other);
    expect(change).toMatchObject({ standing: { satisfied: true, expiresAt: later(10) } });
  });

  const guard: Gate = { ...blocking(), type: "guard", guard: "single_session" };
  it.each([
    { what: "what has expired", gate: blocking(), standing: { ...satisfied, expiresAt: moment } },
    { what: "what was only triggered", gate: blocking(), standing: { triggered: true } },
    { what: "a single use", gate: blocking({ scope: "single_use" }), standing: satisfied },
    { what: "a guard", gate: guard, standing: satisfied },
    { what: "what counts for the branch anyway", gate: blocking({ scope: "branch" }), standing: satisfied },
    { what: "a gate that is turned off", gate: blocking({ enabled: false }), standing: satisfied },
  ])("leaves $what", ({ gate, standing }) => {
    expect(carryOver(configOf([gate]), factsOf([put(other, standing, gate)]), other)).toEqual([]);
  });

  it("leaves what this session has satisfied itself", () => {
    const facts = factsOf([put(other, satisfied), put(own, satisfied)]);
    expect(carryOver(configOf([blocking()]), facts, other)).toEqual([]);
  });
});
