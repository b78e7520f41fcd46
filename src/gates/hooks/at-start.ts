import { type GateSite, type HookAnswer, nothing } from "../gate-site.ts";
import { describeGates, listGates } from "../list-gates.ts";
import type { GateChange } from "../state/gate-state.ts";
import { activeGates } from "../verdict/ask-tool.ts";
import { carryOver } from "../verdict/carry-over.ts";

/** The beginning of a session as clients tell of it. */
export interface WireStart {
  readonly source?: unknown;
}

/**
 * Takes in that a session begins.
 *
 * Work that goes on under a new id begins with what was satisfied under the old one; a new start begins with nothing.
 */
export async function takeInStart(site: GateSite, { source }: WireStart): Promise<void> {
  await site.register();
  const gates = activeGates(site.config);
  const { enabled, sources, windowSeconds } = site.config.carryOver;
  const continues = enabled && typeof source === "string" && sources.includes(source);
  const from = continues && gates.length > 0 ? await site.findPredecessor(windowSeconds) : undefined;
  if (from !== undefined) await site.change(gates, (facts) => carryOver(site.config, facts, from));
}

/** Takes in that a session begins, and tells it how the gates stand. */
export async function atStart(site: GateSite, wire: WireStart): Promise<HookAnswer> {
  await takeInStart(site, wire);
  const gates = activeGates(site.config);
  const facts = site.config.injectContext && gates.length > 0 ? await site.facts(gates) : undefined;
  if (facts === undefined) return nothing;
  return { type: "tell", text: describeGates(listGates(site.config, facts), site.branch) };
}

/** Takes in that a session ends. What it satisfied stays, unless the configuration says otherwise. */
export async function atEnd(site: GateSite): Promise<HookAnswer> {
  await site.unregister();
  if (!site.config.clearAtEnd) return nothing;
  await site.change([], ({ state, session }) =>
    activeGates(site.config).flatMap(({ name, scope }): readonly GateChange[] => {
      const isKnown = scope === "session" && state.sessions(name).includes(session);
      return isKnown ? [{ type: "forget", gate: name, session }] : [];
    }),
  );
  return nothing;
}
