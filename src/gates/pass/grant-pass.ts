import type { Gate, GateConfig } from "../gate.ts";
import type { GateSite } from "../gate-site.ts";
import { isSettled } from "../hooks/is-settled.ts";
import { isMetBefore } from "../judge.ts";
import type { Pass } from "../pass.ts";
import { askStop } from "../verdict/ask-stop.ts";
import { activeGates } from "../verdict/ask-tool.ts";
import type { Facts } from "../verdict/facts.ts";
import { guardsTool } from "../verdict/guards-call.ts";

/** What a session may do without its gates being asked, whatever it is written down with. */
export type Grant = Pick<Pass, "guarded" | "shell" | "stop">;

/**
 * Finds out what a session may do until a moment without its gates being asked; undefined where that cannot be told. What
 * was satisfied is only ever lost as time goes by, so that what holds now and at that moment holds between them.
 */
export async function findGrant(site: GateSite, until: Date): Promise<Grant | undefined> {
  const { config } = site;
  const gates = activeGates(config);
  const steady = gates.filter(isSteady);
  const facts = await site.facts(steady);
  if (facts === undefined) return undefined;
  const moments = [facts, { ...facts, now: until }];
  const isFree = (gate: Gate) =>
    isSteady(gate) && gate.scope !== "single_use" && moments.every((each) => isMetBefore(gate, each));
  const { typed, heldAt = [] } = await site.notes();
  return {
    guarded: Object.fromEntries(
      listTools(gates).map((tool) => [tool, gates.filter((gate) => guardsTool(gate, tool)).every(isFree)]),
    ),
    shell: moments.every((each) => isSettled(config, each)),
    stop:
      typed === undefined &&
      heldAt.length === 0 &&
      !site.isBehindWatched() &&
      moments.every((each) => mayStop(config, each)),
  };
}

/** Tells whether a gate goes by nothing but what was satisfied, and by the branch. */
function isSteady(gate: Gate): boolean {
  return gate.type === "blocking" || (gate.type === "guard" && gate.guard === "protected_branch");
}

function mayStop(config: GateConfig, facts: Facts): boolean {
  return activeGates(config).every(isSteady) && askStop(config, facts).length === 0;
}

function listTools(gates: readonly Gate[]): readonly string[] {
  return [...new Set(gates.flatMap(({ triggers }) => triggers.map(({ tool }) => tool)))];
}
