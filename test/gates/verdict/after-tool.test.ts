import { describe, expect, it } from "vitest";
import { scopes } from "../../../src/gates/gate.ts";
import { afterTool, satisfy } from "../../../src/gates/verdict/after-tool.ts";
import { askStop, askTool } from "../../../src/gates/verdict/ask-tool.ts";
import {
  bash,
  blocking,
  configOf,
  dynamic,
  edit,
  factsOf,
  later,
  moment,
  other,
  own,
  put,
} from "../../support/gates/gates.ts";

const succeeded = { succeeded: true, wrote: [] };
const failed = { succeeded: false, wrote: [] };
const triggered = { triggered: true, triggeredAt: moment, metadata: { full_id: own } };

describe("after a guarded tool has run", () => {
  it.each(scopes)("a gate of scope %s is triggered for this session", (scope) => {
    const gate = blocking({ scope, stopOnly: true });
    expect(afterTool(configOf([gate]), factsOf(), edit, succeeded)).toEqual([put(own, triggered, gate)]);
  });

  it("a failed call triggers it too", () => {
    const gate = blocking({ stopOnly: true });
    expect(afterTool(configOf([gate]), factsOf(), edit, failed)).toEqual([put(own, triggered, gate)]);
  });

  it("nothing changes when it was triggered before", () => {
    const facts = factsOf([put(own, { triggered: true, triggeredAt: later(-60), satisfied: true })]);
    expect(afterTool(configOf([blocking()]), facts, edit, succeeded)).toEqual([]);
  });

  it("nothing changes for a tool that is not guarded", () => {
    expect(afterTool(configOf([blocking()]), factsOf(), { tool: "Read" }, succeeded)).toEqual([]);
  });

  it("what it was satisfied with is kept", () => {
    const satisfied = {
      satisfied: true,
      satisfiedAt: later(-60),
      satisfiedBy: "skill",
      metadata: { note: 1 },
    };
    const facts = factsOf([put(own, satisfied)]);
    expect(afterTool(configOf([blocking()]), facts, edit, succeeded)).toEqual([
      put(own, { ...satisfied, ...triggered, metadata: { note: 1, full_id: own } }),
    ]);
  });
});

describe("a gate of single use", () => {
  const perEdit = blocking({ scope: "single_use" });
  const perCommit = blocking({
    scope: "single_use",
    triggers: [{ tool: "Edit" }, { tool: "Bash", pattern: "git commit" }],
  });
  const satisfied = [put(own, { satisfied: true })];
  const forgotten = [{ type: "forget", gate: "commit_plan", session: own }];

  it("is used up by the first guarded call where it has no pattern", () => {
    expect(afterTool(configOf([perEdit]), factsOf(satisfied), edit, succeeded)).toEqual(forgotten);
  });

  // Seed 2: 6.3
  it("is used up by the command of its pattern", () => {
    const commit = bash("git commit -m x", "writes");
    expect(afterTool(configOf([perCommit]), factsOf(satisfied), commit, succeeded)).toEqual(forgotten);
  });

  it("is not used up by other guarded calls where it has a pattern", () => {
    expect(afterTool(configOf([perCommit]), factsOf(satisfied), edit, succeeded)).toEqual([
      put(own, { ...triggered, satisfied: true }, perCommit),
    ]);
  });

  it("is not used up by a call that failed", () => {
    expect(afterTool(configOf([perEdit]), factsOf(satisfied), edit, failed)).toEqual([
      put(own, { ...triggered, satisfied: true }, perEdit),
    ]);
  });

  it("leaves what another session has satisfied", () => {
    const both = [...satisfied, put(other, { satisfied: true })];
    expect(afterTool(configOf([perEdit]), factsOf(both), edit, succeeded)).toEqual(forgotten);
  });

  it("is used up by what a shell wrote", () => {
    const wrote = { succeeded: true, wrote: ["a.txt"] };
    const write = bash("sed -i s/a/b/ a.txt", "writes");
    expect(afterTool(configOf([perEdit]), factsOf(satisfied), write, wrote)).toEqual(forgotten);
  });
});

describe("after a shell wrote past a gate", () => {
  const write = bash("sed -i s/a/b/ a.txt", "writes");
  const wrote = { succeeded: true, wrote: ["a.txt"] };
  const config = configOf([blocking()]);
  const past = put(own, {
    ...triggered,
    metadata: { shell_write: { command: "sed -i s/a/b/ a.txt", files: ["a.txt"] }, full_id: own },
  });

  it("the gate knows what was written", () => {
    expect(afterTool(config, factsOf(), write, wrote)).toEqual([past]);
  });

  it("writes, edits and the stop are refused until it is satisfied", () => {
    const facts = factsOf([past]);
    const ask = (changes = [past]) => {
      const then = factsOf(changes);
      return [
        askTool(config, then, write).type,
        askTool(config, then, edit).type,
        askStop(config, then).length,
      ];
    };
    expect(ask()).toEqual(["refuse", "refuse", 1]);
    expect(ask([past, satisfy(blocking(), facts, { by: "skill" })])).toEqual(["pass", "pass", 0]);
  });

  it("a command that wrote nothing in the work tree was no edit", () => {
    expect(afterTool(config, factsOf(), write, succeeded)).toEqual([]);
  });

  it("a command that reads, or writes where that is ignored, is none either", () => {
    expect(afterTool(config, factsOf(), bash("ls", "reads"), wrote)).toEqual([]);
    expect(afterTool(configOf([blocking()], { shellWrites: "ignore" }), factsOf(), write, wrote)).toEqual([]);
  });

  it("a gate that is satisfied is triggered, and no more", () => {
    const satisfied = put(own, { satisfied: true });
    expect(afterTool(config, factsOf([satisfied]), write, wrote)).toEqual([
      put(own, { ...triggered, satisfied: true }),
    ]);
  });
});

describe("a stop", () => {
  const met = { triggered: true, triggeredAt: moment };

  // Seed 2: 4.2
  it.each(scopes)("asks for a gate of scope %s that was met and not satisfied", (scope) => {
    const gate = blocking({ scope });
    expect(askStop(configOf([gate]), factsOf([put(own, met, gate)]))).toEqual([
      { gate, lack: { type: "never" } },
    ]);
  });

  it.each([
    { when: "was never met", changes: [] },
    { when: "was met by another session", changes: [put(other, met)] },
    { when: "was met and satisfied", changes: [put(own, { ...met, satisfied: true })] },
    {
      when: "was met and is satisfied for the branch",
      changes: [put(own, met), put("all", { satisfied: true })],
    },
  ])("does not ask for a gate that $when", ({ changes }) => {
    expect(askStop(configOf([blocking()]), factsOf(changes))).toEqual([]);
  });

  // Seed 2: 4.3
  it("asks for a satisfaction that has expired", () => {
    const expired = [put(own, { ...met, satisfied: true, expiresAt: moment })];
    expect(askStop(configOf([blocking()]), factsOf(expired))).toEqual([
      { gate: blocking(), lack: { type: "expired", at: moment } },
    ]);
  });

  it("asks for a figure that has grown over its limit", () => {
    const facts = factsOf([put(own, met, dynamic())], { figures: new Map([["branch_size", 500]]) });
    expect(askStop(configOf([dynamic()]), facts)).toEqual([
      { gate: dynamic(), lack: { type: "over", figure: 500, limit: 400 } },
    ]);
  });

  it("asks only for the scopes of the configuration, and for nothing where that is turned off", () => {
    const facts = factsOf([put(own, met)]);
    const only = (verifyAtStop: { enabled: boolean; scopes: readonly ("branch" | "session")[] }) =>
      askStop(configOf([blocking()], { verifyAtStop }), facts).length;
    expect([
      only({ enabled: true, scopes: ["session"] }),
      only({ enabled: true, scopes: ["branch"] }),
      only({ enabled: false, scopes: ["session"] }),
    ]).toEqual([1, 0, 0]);
  });
});
