import type { GateConfig } from "../gate.ts";
import { judge } from "../judge.ts";
import { activeGates, type Refusal } from "./ask-tool.ts";
import type { Facts } from "./facts.ts";

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
