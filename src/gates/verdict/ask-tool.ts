import type { Gate, GateConfig, ShellWrites } from "../gate.ts";
import { type Facts, findWarning, judge, type Lack, type ShellCall, type ToolCall } from "../judge.ts";

/** A gate that does not let something happen, and why. */
export interface Refusal {
  readonly gate: Gate;
  readonly lack: Lack;
}

/** A figure that is near its limit. */
export interface Warning {
  readonly gate: Gate;
  readonly figure: number;
}

/** Whether a tool may run; every gate that is against it is named. */
export type Verdict =
  | { readonly type: "pass"; readonly warnings: readonly Warning[] }
  | { readonly type: "refuse"; readonly refusals: readonly Refusal[] };

/** Tells whether a tool may run. Pure: same configuration, facts and call, same answer. */
export function askTool(config: GateConfig, facts: Facts, call: ToolCall): Verdict {
  if (isOpen(call)) return { type: "pass", warnings: [] };
  const guarding = activeGates(config).filter((gate) => isStopped(gate, config, facts, call));
  const refusals = guarding.flatMap((gate) => refuse(gate, facts));
  if (refusals.length > 0) return { type: "refuse", refusals };
  return { type: "pass", warnings: guarding.flatMap((gate) => warn(gate, facts)) };
}

/** Returns the gates that count. */
export function activeGates({ enabled, gates }: GateConfig): readonly Gate[] {
  return enabled ? gates.filter((gate) => gate.enabled) : [];
}

/** Tells whether a gate would stop a call if it were not satisfied. */
function isStopped(gate: Gate, config: GateConfig, facts: Facts, call: ToolCall): boolean {
  if (gate.stopOnly) return false;
  const writes = writesOf(gate, config);
  const guarding = guardsCall(gate, call, writes);
  // What a shell wrote is looked at afterwards; only a session that did so unsatisfied is held to it before.
  if (guarding === "shell-write" && writes === "check") return findShellWrite(gate, facts) !== undefined;
  return guarding !== "nothing";
}

function refuse(gate: Gate, facts: Facts): readonly Refusal[] {
  const judgement = judge(gate, facts);
  return judgement.satisfied ? [] : [{ gate, lack: judgement.lack }];
}

function warn(gate: Gate, facts: Facts): readonly Warning[] {
  const figure = findWarning(gate, facts);
  return figure === undefined ? [] : [{ gate, figure }];
}

/** Returns the gates that a session has met and not satisfied. Pure. */
export function askStop(config: GateConfig, facts: Facts): readonly Refusal[] {
  const { enabled, scopes } = config.verifyAtStop;
  if (!enabled) return [];
  return activeGates(config).flatMap((gate) => {
    if (!scopes.includes(gate.scope) || !facts.state.standing(gate.name, facts.session).triggered) return [];
    const judgement = judge(gate, facts);
    return judgement.satisfied ? [] : [{ gate, lack: judgement.lack }];
  });
}

/** How a gate has to do with a call: it guards the call itself, or the files that a shell command may write. */
type Guarding = "call" | "shell-write" | "nothing";

/** The tools that edit files: a gate on one of them guards what a shell writes too. */
const editors = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);

/** Tells whether a tool edits files. */
export function isEditor(tool: string): boolean {
  return editors.has(tool);
}

/** The tools that no gate refuses, so that the way to satisfy one is always open. */
const open = new Set(["Read", "Grep", "Glob", "LS", "Skill", "Agent", "Task"]);

/** Tells how a gate has to do with a call. */
export function guardsCall(gate: Gate, call: ToolCall, writes: ShellWrites): Guarding {
  if (call.writesPlan === true || call.shell?.isCarryon === true) return "nothing";
  if (isWayOut(gate, call)) return "nothing";
  if (gate.triggers.some((trigger) => trigger.tool === call.tool && fits(trigger.pattern, call.shell))) {
    return "call";
  }
  return guardsWrites(gate, call.shell, writes) ? "shell-write" : "nothing";
}

/** Tells whether a call does what a gate asks for: it goes away from the branch that the gate protects. */
function isWayOut(gate: Gate, { shell }: ToolCall): boolean {
  return gate.type === "guard" && gate.guard === "protected_branch" && shell?.leavesBranch === true;
}

/** Tells whether a gate guards calls of a tool, whatever may except one of them. */
export function guardsTool({ triggers }: Gate, wanted: string): boolean {
  return triggers.some(({ tool }) => tool === wanted);
}

/** Tells whether no gate may refuse a call, whatever it guards. */
function isOpen({ tool }: ToolCall): boolean {
  return open.has(tool);
}

/** Returns what a gate does about files that a shell writes. */
export function writesOf(gate: Gate, { shellWrites }: { readonly shellWrites: ShellWrites }): ShellWrites {
  return gate.shellWrites ?? shellWrites;
}

function fits(pattern: string | undefined, shell: ShellCall | undefined): boolean {
  // A gate on the shell guards what may change something: reading is always allowed, also reading about a commit.
  if (shell?.verdict === "reads") return false;
  return pattern === undefined || (shell?.found.has(pattern) ?? false);
}

function guardsWrites(gate: Gate, shell: ShellCall | undefined, writes: ShellWrites): boolean {
  if (shell === undefined || shell.verdict === "reads" || writes === "ignore") return false;
  if (writes === "block" && shell.verdict === "unknown") return false;
  return gate.triggers.some(({ tool }) => isEditor(tool));
}

/** Tells whether a call that succeeded uses up what a gate of single use was satisfied for. */
export function usesUp(gate: Gate, { shell }: ToolCall): boolean {
  const patterns = gate.triggers.flatMap(({ pattern }) => pattern ?? []);
  if (patterns.length === 0) return true;
  return patterns.some((pattern) => shell?.found.has(pattern) ?? false);
}

/** What a shell command wrote while a gate that guards edits was not satisfied. */
interface ShellWrite {
  readonly command: string;
  readonly files: readonly string[];
}

/** The field of a standing's metadata that holds it. */
const field = "shell_write";

/** Enough to recognise it by. */
const longest = 200;
const most = 5;

/** Returns the metadata that tell of a write. */
export function recordShellWrite({ command, files }: ShellWrite): Readonly<Record<string, unknown>> {
  return { [field]: { command: command.slice(0, longest), files: files.slice(0, most) } };
}

/** Returns of metadata only what tells of a write. */
export function keepShellWrite(
  metadata: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return field in metadata ? { [field]: metadata[field] } : {};
}

/** Returns what this session's shell wrote past a gate, if it did. */
function findShellWrite(gate: Gate, { state, session }: Facts): ShellWrite | undefined {
  const value = state.standing(gate.name, session).metadata[field];
  if (typeof value !== "object" || value === null) return undefined;
  const { command, files }: { command?: unknown; files?: unknown } = value;
  return {
    command: typeof command === "string" ? command : "",
    files: Array.isArray(files) ? files.filter((file) => typeof file === "string") : [],
  };
}
