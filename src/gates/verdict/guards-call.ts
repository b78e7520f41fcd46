import type { Gate, ShellWrites } from "../gate.ts";
import type { ShellCall, ToolCall } from "./facts.ts";

/** How a gate has to do with a call: it guards the call itself, or the files that a shell command may write. */
export type Guarding = "call" | "shell-write" | "nothing";

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
export function isOpen({ tool }: ToolCall): boolean {
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
