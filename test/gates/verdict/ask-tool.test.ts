import { describe, expect, it } from "vitest";
import { type Gate, type Scope, type ShellWrites, scopes } from "../../../src/gates/gate.ts";
import type { Facts, ToolCall } from "../../../src/gates/judge.ts";
import type { GateChange } from "../../../src/gates/state/gate-state.ts";
import { askTool, recordShellWrite } from "../../../src/gates/verdict/ask-tool.ts";
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

/** Every state that a gate can be in for a session. */
const states = {
  untouched: [],
  triggered: [put(own, { triggered: true })],
  "satisfied by this session": [put(own, { satisfied: true })],
  "satisfied for the branch": [put("all", { satisfied: true })],
  "satisfied by another session": [put(other, { satisfied: true })],
  "satisfied by this session for a while": [put(own, { satisfied: true, expiresAt: later(1) })],
  "expired for this session": [put(own, { satisfied: true, expiresAt: moment })],
  "satisfied for the branch for a while": [put("all", { satisfied: true, expiresAt: later(1) })],
  "expired for the branch": [put("all", { satisfied: true, expiresAt: moment })],
  "expired for this session, satisfied for the branch": [
    put(own, { satisfied: true, expiresAt: moment }),
    put("all", { satisfied: true }),
  ],
} satisfies Record<string, readonly GateChange[]>;

type State = keyof typeof states;

const forSession: readonly State[] = [
  "satisfied by this session",
  "satisfied for the branch",
  "satisfied by this session for a while",
  "satisfied for the branch for a while",
  "expired for this session, satisfied for the branch",
];
const forBranch: readonly State[] = [
  "satisfied for the branch",
  "satisfied for the branch for a while",
  "expired for this session, satisfied for the branch",
];
const satisfiedIn: Readonly<Record<Scope, readonly State[]>> = {
  session: forSession,
  single_use: forSession,
  branch: forBranch,
  permanent: forBranch,
};

const allStates = Object.keys(states) as State[];

/** What can come to a gate: a tool that it guards, one that it does not, and those that are always open. */
const events: readonly { readonly event: string; readonly call: ToolCall; readonly isGuarded: boolean }[] = [
  { event: "Edit", call: edit, isGuarded: true },
  { event: "Write", call: { tool: "Write" }, isGuarded: true },
  { event: "MultiEdit", call: { tool: "MultiEdit" }, isGuarded: true },
  { event: "NotebookEdit", call: { tool: "NotebookEdit" }, isGuarded: true },
  { event: "a plan", call: { tool: "Write", writesPlan: true }, isGuarded: false },
  { event: "WebFetch", call: { tool: "WebFetch" }, isGuarded: false },
  { event: "Read", call: { tool: "Read" }, isGuarded: false },
  { event: "Skill", call: { tool: "Skill" }, isGuarded: false },
  { event: "a command that reads", call: bash("ls", "reads"), isGuarded: false },
  { event: "a command that writes", call: bash("touch x", "writes"), isGuarded: false },
];

function ask(gate: Gate, facts: Facts, call: ToolCall): "pass" | "refuse" {
  return askTool(configOf([gate]), facts, call).type;
}

describe.each(scopes)("a gate of scope %s", (scope) => {
  const gate = blocking({ scope });

  describe.each(events)("asked for $event", ({ call, isGuarded }) => {
    // Seed 2: 1.8
    it.each(allStates)("when it is %s", (state) => {
      const isSatisfied = satisfiedIn[scope].includes(state);
      const expected = isGuarded && !isSatisfied ? "refuse" : "pass";
      expect(ask(gate, factsOf(states[state]), call)).toBe(expected);
    });
  });

  it("does not refuse a tool when it is asked for at the stop only", () => {
    expect(ask({ ...gate, stopOnly: true }, factsOf(), edit)).toBe("pass");
  });

  it("does not refuse when it is turned off", () => {
    expect(ask({ ...gate, enabled: false }, factsOf(), edit)).toBe("pass");
  });
});

describe("a satisfaction that expires", () => {
  const expiring = [put(own, { satisfied: true, expiresAt: moment })];

  it.each([
    { when: "a millisecond before", now: new Date(moment.getTime() - 1), verdict: "pass" },
    { when: "at the moment", now: moment, verdict: "refuse" },
    { when: "a millisecond after", now: new Date(moment.getTime() + 1), verdict: "refuse" },
  ])("is asked for $when", ({ now, verdict }) => {
    expect(ask(blocking(), factsOf(expiring, { now }), edit)).toBe(verdict);
  });

  // Seed 2: 9.2
  it("is refused with the moment since when it no longer counts", () => {
    expect(askTool(configOf([blocking()]), factsOf(expiring), edit)).toEqual({
      type: "refuse",
      refusals: [{ gate: blocking(), lack: { type: "expired", at: moment } }],
    });
  });
});

describe("several gates", () => {
  it("are all named when they are against a call", () => {
    const [plan, review, done] = ["plan", "review", "done"].map((name) => blocking({ name }));
    const facts = factsOf([put(own, { satisfied: true }, done)]);
    expect(askTool(configOf([plan, review, done] as Gate[]), facts, edit)).toEqual({
      type: "refuse",
      refusals: [
        { gate: plan, lack: { type: "never" } },
        { gate: review, lack: { type: "never" } },
      ],
    });
  });

  it("refuse nothing when the configuration turns them off", () => {
    expect(askTool(configOf([blocking()], { enabled: false }), factsOf(), edit).type).toBe("pass");
  });
});

describe("a gate on commands", () => {
  const gate = blocking({ triggers: [{ tool: "Bash", pattern: "git\\s+commit" }], scope: "single_use" });

  it.each([
    { call: bash("git commit -m x", "writes"), verdict: "refuse" },
    { call: bash("git add . && git  commit", "writes"), verdict: "refuse" },
    { call: bash("git status", "reads"), verdict: "pass" },
    { call: bash("touch x", "writes"), verdict: "pass" },
    { call: edit, verdict: "pass" },
    { call: bash("carryon gate satisfy 'git commit'", "reads", true), verdict: "pass" },
  ])("says $verdict to $call", ({ call, verdict }) => {
    expect(ask(gate, factsOf(), call)).toBe(verdict);
  });

  it.each([
    { call: bash("ls", "reads"), verdict: "pass" },
    { call: bash("touch x", "writes"), verdict: "refuse" },
    { call: bash("make", "unknown"), verdict: "refuse" },
    { call: bash("carryon gate", "reads", true), verdict: "pass" },
  ])("without a pattern says $verdict to $call", ({ call, verdict }) => {
    expect(ask(blocking({ triggers: [{ tool: "Bash" }] }), factsOf(), call)).toBe(verdict);
  });
});

describe("a gate on edits, asked for what a shell writes", () => {
  const past = [
    put(own, { triggered: true, metadata: recordShellWrite({ command: "sed -i", files: ["a"] }) }),
  ];
  const pastOfOther = [put(other, { metadata: recordShellWrite({ command: "sed -i", files: ["a"] }) })];
  const calls = {
    reads: bash("cat a", "reads"),
    writes: bash("rm a", "writes"),
    unknown: bash("./x", "unknown"),
  };

  const table: readonly (readonly [
    ShellWrites,
    keyof typeof calls,
    string,
    readonly GateChange[],
    string,
  ])[] = [
    ["block", "reads", "before any write", [], "pass"],
    ["block", "writes", "before any write", [], "refuse"],
    ["block", "unknown", "before any write", [], "pass"],
    ["block", "reads", "after a write", past, "pass"],
    ["block", "writes", "after a write", past, "refuse"],
    ["block", "unknown", "after a write", past, "pass"],
    ["check", "reads", "before any write", [], "pass"],
    ["check", "writes", "before any write", [], "pass"],
    ["check", "unknown", "before any write", [], "pass"],
    ["check", "reads", "after a write", past, "pass"],
    ["check", "writes", "after a write", past, "refuse"],
    ["check", "unknown", "after a write", past, "refuse"],
    ["check", "writes", "after a write of another session", pastOfOther, "pass"],
    ["ignore", "writes", "before any write", [], "pass"],
    ["ignore", "writes", "after a write", past, "pass"],
    ["ignore", "unknown", "after a write", past, "pass"],
  ];

  it.each(table)("%s: a command that %s, %s", (shellWrites, kind, _when, changes, verdict) => {
    const call = calls[kind];
    expect(askTool(configOf([blocking()], { shellWrites }), factsOf(changes), call).type).toBe(verdict);
    const own = blocking({ shellWrites });
    expect(askTool(configOf([own], { shellWrites: "ignore" }), factsOf(changes), call).type).toBe(verdict);
  });

  it("lets a command through once it is satisfied", () => {
    const satisfied = [...past, put(own, { satisfied: true })];
    expect(ask(blocking(), factsOf(satisfied), calls.writes)).toBe("pass");
  });
});

describe("a gate on a figure", () => {
  it.each([
    { figure: 0, verdict: { type: "pass", warnings: [] } },
    { figure: 249, verdict: { type: "pass", warnings: [] } },
    { figure: 250, verdict: { type: "pass", warnings: [{ gate: dynamic(), figure: 250 }] } },
    { figure: 399, verdict: { type: "pass", warnings: [{ gate: dynamic(), figure: 399 }] } },
    {
      figure: 400,
      verdict: {
        type: "refuse",
        refusals: [{ gate: dynamic(), lack: { type: "over", figure: 400, limit: 400 } }],
      },
    },
  ])("of $figure", ({ figure, verdict }) => {
    const facts = factsOf([], { figures: new Map([["branch_size", figure]]) });
    expect(askTool(configOf([dynamic()]), facts, edit)).toEqual(verdict);
  });

  it("that nobody could measure stops nobody", () => {
    expect(ask(dynamic(), factsOf(), edit)).toBe("pass");
  });

  // Seed 2: 9.2
  it("over its limit lets through what was approved, until that expires", () => {
    const over = { figures: new Map([["branch_size", 9999]]) };
    const approved = [
      put(own, { satisfied: true, satisfiedBy: "approval", expiresAt: later(300) }, dynamic()),
    ];
    expect(ask(dynamic(), factsOf(approved, over), edit)).toBe("pass");
    expect(ask(dynamic(), factsOf(approved, { ...over, now: later(300) }), edit)).toBe("refuse");
  });
});

describe("a guard", () => {
  const guard = { type: "guard", guard: "protected_branch", branches: ["main", "master"] } as const;
  const branches: Gate = { ...blocking(), ...guard, name: "protected_branch" };
  const alone: Gate = { ...blocking(), type: "guard", guard: "single_session", name: "alone" };

  it("of branches refuses on those alone", () => {
    expect(ask(branches, factsOf([], { branch: "main" }), edit)).toBe("refuse");
    expect(ask(branches, factsOf([], { branch: "feature" }), edit)).toBe("pass");
  });

  it("of single sessions refuses while others live", () => {
    expect(ask(alone, factsOf([], { others: ["bbbbbbbb"] }), edit)).toBe("refuse");
    expect(ask(alone, factsOf(), edit)).toBe("pass");
  });

  it("lets through what was approved", () => {
    const approved = [put(own, { satisfied: true, expiresAt: later(1) }, branches)];
    expect(ask(branches, factsOf(approved, { branch: "main" }), edit)).toBe("pass");
  });
});
