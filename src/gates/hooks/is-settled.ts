import type { GateConfig } from "../gate.ts";
import type { GateSite } from "../gate-site.ts";
import { isMetBefore } from "../judge.ts";
import { activeGates } from "../verdict/ask-tool.ts";
import type { Facts } from "../verdict/facts.ts";

/**
 * Tells whether no command can make a difference to any gate, so that none has to be parsed: all are satisfied and have
 * been met before, and none is used up or measured.
 */
export async function isSettledAt(site: GateSite): Promise<boolean> {
  if (!canSettle(site.config)) return false;
  const facts = await site.facts(activeGates(site.config));
  return facts !== undefined && isSettled(site.config, facts);
}

/** Tells the same of facts that were gathered. Pure. */
export function isSettled(config: GateConfig, facts: Facts): boolean {
  if (!canSettle(config)) return false;
  return activeGates(config).every((gate) => isMetBefore(gate, facts));
}

function canSettle(config: GateConfig): boolean {
  return activeGates(config).every(({ type, scope }) => type === "blocking" && scope !== "single_use");
}
