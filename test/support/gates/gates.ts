import type { BlockingGate, DynamicGate, Gate, GateConfig } from "../../../src/gates/gate.ts";
import type { Facts, ToolCall } from "../../../src/gates/judge.ts";
import {
  type GateChange,
  type GateState,
  type SessionKey,
  type Standing,
  untouched,
} from "../../../src/gates/state/gate-state.ts";

export const own = "aaaaaaaa" as SessionKey;
export const other = "bbbbbbbb" as SessionKey;
export const moment = new Date("2026-11-16T12:00:00Z");

/** Returns a moment so many seconds after the moment of the tests. */
export function later(seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}

/** A gate that is asked for before files are edited. */
export function blocking(given: Partial<BlockingGate> = {}): BlockingGate {
  return {
    type: "blocking",
    name: "commit_plan",
    enabled: true,
    scope: "session",
    triggers: ["Edit", "Write", "MultiEdit", "NotebookEdit"].map((tool) => ({ tool })),
    checklist: [],
    skills: [],
    stopOnly: false,
    ...given,
  };
}

/** A gate on the size of the branch. */
export function dynamic(given: Partial<DynamicGate> = {}): DynamicGate {
  return {
    ...blocking({ name: "branch_size" }),
    type: "dynamic",
    calculator: "branch_size",
    thresholds: { warn: 250, block: 400 },
    approvalTtl: 300,
    cacheTtl: 30,
    ...given,
  };
}

export function configOf(gates: readonly Gate[], given: Partial<GateConfig> = {}): GateConfig {
  return {
    enabled: true,
    gates,
    injectContext: true,
    carryOver: { enabled: true, windowSeconds: 300, sources: ["clear", "compact"] },
    verifyAtStop: { enabled: true, scopes: ["session", "branch", "single_use", "permanent"] },
    shellWrites: "check",
    clearAtEnd: false,
    ...given,
  };
}

type Standings = ReadonlyMap<string, Standing>;

const keyOf = (gate: string, session: string) => JSON.stringify([gate, session]);

/** A state in memory: what the changes make of nothing, in order. */
function stateOf(changes: readonly GateChange[] = []): GateState {
  const standings = changes.reduce(apply, new Map<string, Standing>());
  const keys = () => [...standings.keys()].map((key): [string, string] => JSON.parse(key));
  return {
    branch: "feature/plan",
    project: "/project",
    standing: (gate, session) => standings.get(keyOf(gate, session)) ?? untouched,
    sessions: (gate) =>
      keys().flatMap(([of, session]) => (of === gate && session !== "all" ? (session as SessionKey) : [])),
    gates: () => [...new Set(keys().map(([gate]) => gate))],
  };
}

function apply(standings: Standings, change: GateChange): Map<string, Standing> {
  if (change.type === "set")
    return new Map([...standings, [keyOf(change.gate, change.session), change.standing]]);
  const isForgotten = (key: string) =>
    change.session === "every-session"
      ? key !== keyOf(change.gate, "all") && JSON.parse(key)[0] === change.gate
      : key === keyOf(change.gate, change.session);
  return new Map([...standings].filter(([key]) => !isForgotten(key)));
}

/** The change that puts a standing down. */
export function put(
  session: SessionKey | "all",
  standing: Partial<Standing>,
  gate: Gate = blocking(),
): GateChange {
  return {
    type: "set",
    gate: gate.name,
    scope: gate.scope,
    session,
    standing: { ...untouched, ...standing },
  };
}

export function factsOf(changes: readonly GateChange[] = [], given: Partial<Facts> = {}): Facts {
  return {
    state: stateOf(changes),
    session: own,
    fullId: own,
    branch: "feature/plan",
    now: moment,
    figures: new Map(),
    others: [],
    ...given,
  };
}

export const edit: ToolCall = { tool: "Edit" };

/** A command, with the patterns of the tests that are found in it. */
export function bash(command: string, verdict: "reads" | "writes" | "unknown", isCarryon = false): ToolCall {
  const found = ["git commit", "git\\s+commit"].filter((pattern) => new RegExp(pattern).test(command));
  return { tool: "Bash", shell: { command, verdict, isCarryon, found: new Set(found) } };
}
