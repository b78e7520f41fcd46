import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Gate, type GateConfig, scopes } from "../../../src/gates/gate.ts";
import type { Facts, ToolCall } from "../../../src/gates/judge.ts";
import type { GateChange, SessionKey } from "../../../src/gates/state/gate-state.ts";
import { afterTool, carryOver, satisfy } from "../../../src/gates/verdict/after-tool.ts";
import { askStop, askTool } from "../../../src/gates/verdict/ask-tool.ts";
import {
  bash,
  blocking,
  configOf,
  dynamic,
  edit,
  factsOf,
  later,
  other,
  own,
} from "../../support/gates/gates.ts";

/** Something that happens in a session. */
type Step =
  | { readonly type: "tool"; readonly call: ToolCall; readonly succeeded: boolean; readonly wrote: boolean }
  | { readonly type: "satisfy"; readonly gate: number; readonly ttl: number | null }
  | { readonly type: "satisfy-branch"; readonly gate: number }
  | { readonly type: "clear"; readonly gate: number }
  | { readonly type: "take-over" };

interface Event {
  readonly session: SessionKey;
  readonly at: number;
  readonly step: Step;
}

const calls: readonly ToolCall[] = [
  edit,
  { tool: "Write" },
  { tool: "Read" },
  bash("ls", "reads"),
  bash("rm a", "writes"),
  bash("make", "unknown"),
  bash("git commit -m x", "writes"),
];

const anyCall = fc.constantFrom(...calls);
const anyNumber = fc.nat({ max: 4 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant("tool" as const),
    call: anyCall,
    succeeded: fc.boolean(),
    wrote: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("satisfy" as const),
    gate: anyNumber,
    ttl: fc.option(fc.integer({ min: 1, max: 100 })),
  }),
  fc.record({ type: fc.constant("satisfy-branch" as const), gate: anyNumber }),
  fc.record({ type: fc.constant("clear" as const), gate: anyNumber }),
  fc.record({ type: fc.constant("take-over" as const) }),
);
const anyHistory = fc.array(
  fc.record({ session: fc.constantFrom(own, other), at: fc.nat({ max: 300 }), step: anyStep }),
  { maxLength: 40 },
);

const anyTriggers = fc.constantFrom(
  [{ tool: "Edit" }, { tool: "Write" }],
  [{ tool: "Bash", pattern: "git commit" }],
  [{ tool: "Edit" }, { tool: "Bash", pattern: "git commit" }],
  [{ tool: "Bash" }],
);
const anyGate = fc.record({
  scope: fc.constantFrom(...scopes),
  triggers: anyTriggers,
  stopOnly: fc.boolean(),
});
const anyConfig: fc.Arbitrary<GateConfig> = fc
  .tuple(
    fc.array(anyGate, { minLength: 1, maxLength: 4 }),
    fc.constantFrom("block", "check", "ignore" as const),
  )
  .map(([given, shellWrites]) => {
    const gates: Gate[] = given.map((gate, index) => blocking({ name: `gate_${index}`, ...gate }));
    return configOf([...gates, dynamic()], { shellWrites });
  });

const figures = new Map([["branch_size", 500]]);

/** Lets a history happen, and returns what it wrote down. */
function live(config: GateConfig, history: readonly Event[]): readonly GateChange[] {
  const changes: GateChange[] = [];
  for (const event of [...history].sort((one, two) => one.at - two.at)) {
    changes.push(...take(config, factsAt(changes, event.session, event.at), event));
  }
  return changes;
}

function factsAt(changes: readonly GateChange[], session: SessionKey, at: number): Facts {
  return factsOf(changes, { session, fullId: session, now: later(at), figures });
}

function take(config: GateConfig, facts: Facts, { step, session, at }: Event): readonly GateChange[] {
  switch (step.type) {
    case "tool": {
      if (askTool(config, facts, step.call).type === "refuse") return [];
      return afterTool(config, facts, step.call, {
        succeeded: step.succeeded,
        wrote: step.wrote ? ["a"] : [],
      });
    }
    case "satisfy": {
      const expiry = step.ttl === null ? {} : { expiresAt: later(at + step.ttl) };
      return [satisfy(gateOf(config, step.gate), facts, { by: "cli", ...expiry })];
    }
    case "satisfy-branch":
      return [satisfy(gateOf(config, step.gate), facts, { by: "cli", session: "all" })];
    case "clear":
      return [{ type: "forget", gate: gateOf(config, step.gate).name, session }];
    case "take-over":
      return carryOver(config, facts, session === own ? other : own);
  }
}

function gateOf({ gates }: GateConfig, index: number): Gate {
  const gate = gates[index % gates.length];
  if (gate === undefined) throw new Error("A configuration has a gate.");
  return gate;
}

/** Everything that the gates say to a session: to every call, and at its stop. */
function verdicts(config: GateConfig, changes: readonly GateChange[], at: number) {
  const facts = factsAt(changes, own, at);
  return { tools: calls.map((call) => askTool(config, facts, call)), stop: askStop(config, facts) };
}

const moments = fc.integer({ min: 300, max: 500 });

describe("for any history", () => {
  it("adding a satisfaction never turns a pass into a refusal", () => {
    fc.assert(
      fc.property(
        anyConfig,
        anyHistory,
        anyNumber,
        moments,
        fc.boolean(),
        (config, history, index, at, forAll) => {
          const changes = live(config, history);
          const gate = gateOf(config, index);
          const change = satisfy(gate, factsAt(changes, own, at), {
            by: "cli",
            ...(forAll && { session: "all" }),
          });
          const [before, after] = [verdicts(config, changes, at), verdicts(config, [...changes, change], at)];
          before.tools.forEach((verdict, call) => {
            if (verdict.type === "pass") expect(after.tools[call]?.type).toBe("pass");
          });
          const names = before.stop.map((refusal) => refusal.gate.name);
          expect(names).toEqual(expect.arrayContaining(after.stop.map((refusal) => refusal.gate.name)));
          expect(after.stop.map((refusal) => refusal.gate.name)).not.toContain(gate.name);
        },
      ),
    );
  });

  // Seed 2: 1.4, 7.1
  it("another session changes no verdict but at the scopes that are shared", () => {
    fc.assert(
      fc.property(anyConfig, anyHistory, moments, (config, history, at) => {
        const gates = config.gates.filter(({ scope }) => scope === "session" || scope === "single_use");
        const apart = { ...config, gates };
        const independent = history.filter(
          ({ step }) => step.type !== "satisfy-branch" && step.type !== "take-over",
        );
        fc.pre(gates.length > 0);
        const alone = independent.filter(({ session }) => session === own);
        expect(verdicts(apart, live(apart, independent), at)).toEqual(
          verdicts(apart, live(apart, alone), at),
        );
      }),
    );
  });

  // Seed 2: 7.3
  it("a refused call leaves nothing behind that could hold the session at its stop", () => {
    fc.assert(
      fc.property(anyConfig, anyHistory, anyCall, moments, (config, history, call, at) => {
        const changes = live(config, history);
        fc.pre(askTool(config, factsAt(changes, own, at), call).type === "refuse");
        const step = { type: "tool", call, succeeded: true, wrote: true } as const;
        expect(take(config, factsAt(changes, own, at), { session: own, at, step })).toEqual([]);
      }),
    );
  });

  it("reading and our own commands are never refused", () => {
    fc.assert(
      fc.property(anyConfig, anyHistory, moments, (config, history, at) => {
        const facts = factsAt(live(config, history), own, at);
        const open = [
          ...["Read", "Grep", "Skill", "Agent"].map((tool) => ({ tool })),
          bash("git status", "reads"),
          bash("carryon gate satisfy x", "reads", true),
        ];
        expect(open.map((call) => askTool(config, facts, call).type)).toEqual(open.map(() => "pass"));
      }),
    );
  });
});
