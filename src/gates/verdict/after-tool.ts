import type { Gate, GateConfig } from "../gate.ts";
import { judge } from "../judge.ts";
import type { GateChange, Standing } from "../state/gate-state.ts";
import { activeGates } from "./ask-tool.ts";
import type { Facts, ToolCall } from "./facts.ts";
import { guardsCall, usesUp, writesOf } from "./guards-call.ts";
import { setStanding } from "./satisfy.ts";
import { recordShellWrite } from "./shell-write.ts";

/** What became of a call. */
export interface Outcome {
  readonly succeeded: boolean;
  /** The files of the work tree that a shell command wrote, as far as that is known. */
  readonly wrote: readonly string[];
}

/** Returns what changes in the state when a tool has run. A call that was refused has not run and changes nothing. */
export function afterTool(
  config: GateConfig,
  facts: Facts,
  call: ToolCall,
  outcome: Outcome,
): readonly GateChange[] {
  return activeGates(config).flatMap((gate) => changeGate(gate, config, facts, { call, outcome }));
}

interface Event {
  readonly call: ToolCall;
  readonly outcome: Outcome;
}

function changeGate(gate: Gate, config: GateConfig, facts: Facts, event: Event): readonly GateChange[] {
  const { call, outcome } = event;
  const guarding = guardsCall(gate, call, writesOf(gate, config));
  if (guarding === "nothing") return [];
  // A command that wrote nothing was no edit.
  if (guarding === "shell-write" && outcome.wrote.length === 0) return [];
  const isSatisfied = judge(gate, facts).satisfied;
  if (isSatisfied && gate.scope === "single_use" && outcome.succeeded && usesUp(gate, call)) {
    return [{ type: "forget", gate: gate.name, session: facts.session }];
  }
  const standing = facts.state.standing(gate.name, facts.session);
  const isPast = guarding === "shell-write" && !isSatisfied;
  if (standing.triggered && !isPast) return [];
  const triggered = standing.triggered ? {} : { triggered: true, triggeredAt: facts.now };
  return [setStanding(gate, facts, { ...standing, ...triggered, ...(isPast && toPast(standing, event)) })];
}

function toPast({ metadata }: Standing, { call, outcome }: Event): Partial<Standing> {
  const write = recordShellWrite({ command: call.shell?.command ?? "", files: outcome.wrote });
  return { metadata: { ...metadata, ...write } };
}
