import type { Gate, GateConfig } from "../gate.ts";
import { findWarning, judge, type Lack } from "../judge.ts";
import type { Facts, ToolCall } from "./facts.ts";
import { guardsCall, isOpen, writesOf } from "./guards-call.ts";
import { findShellWrite } from "./shell-write.ts";

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
