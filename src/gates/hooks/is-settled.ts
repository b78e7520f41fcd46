import { activeGates } from "../verdict/ask-tool.ts";
import { judge } from "../verdict/judge.ts";
import type { GateSite } from "./gate-site.ts";

/**
 * Tells whether no command can make a difference to any gate, so that none has to be parsed: all are satisfied and have
 * been met before, and none is used up or measured.
 */
export async function isSettled(site: GateSite): Promise<boolean> {
  const gates = activeGates(site.config);
  if (gates.some(({ type, scope }) => type !== "blocking" || scope === "single_use")) return false;
  const facts = await site.facts(gates);
  if (facts === undefined) return false;
  return gates.every(
    (gate) => judge(gate, facts).satisfied && facts.state.standing(gate.name, facts.session).triggered,
  );
}
