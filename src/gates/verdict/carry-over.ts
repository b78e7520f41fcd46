import type { GateConfig } from "../gate.ts";
import { lasts } from "../judge.ts";
import type { GateChange, SessionKey } from "../state/gate-state.ts";
import { activeGates } from "./ask-tool.ts";
import type { Facts } from "./facts.ts";
import { satisfy } from "./satisfy.ts";

/**
 * Returns what a session takes over from the one whose work it continues under a new id: what that one had satisfied
 * for itself, as long as it lasts. Guards and single uses are asked for anew.
 */
export function carryOver(config: GateConfig, facts: Facts, from: SessionKey): readonly GateChange[] {
  return activeGates(config).flatMap((gate) => {
    if (gate.type === "guard" || gate.scope !== "session") return [];
    const old = facts.state.standing(gate.name, from);
    const own = facts.state.standing(gate.name, facts.session);
    if (!old.satisfied || own.satisfied || !lasts(old, facts.now)) return [];
    const metadata = { ...old.metadata, carried_from: from };
    return [
      satisfy(gate, facts, {
        by: "carry_over",
        session: facts.session,
        metadata,
        ...(old.expiresAt !== null && { expiresAt: old.expiresAt }),
      }),
    ];
  });
}
