import { describeRefusals } from "../describe-refusal.ts";
import { type GateSite, type HookAnswer, nothing } from "../gate-site.ts";
import { askStop } from "../verdict/ask-stop.ts";
import { activeGates } from "../verdict/ask-tool.ts";
import { isSame } from "./before-tool.ts";
import { lookBehind } from "./look-behind.ts";
import { findBySkill, satisfyBySkill } from "./satisfy-by-skill.ts";

/** The end of a turn as clients tell of it. */
export interface WireStop {
  /** Whether a hook has held the stop before this one already. */
  readonly stop_hook_active?: unknown;
}

/**
 * Answers whether a session may stop, once for the same gates in a row: somebody who cannot satisfy them must not go
 * round for ever. A command that the user typed in this turn has done its work by now, and counts first.
 */
export async function atStop(site: GateSite, { stop_hook_active: isHeld }: WireStop): Promise<HookAnswer> {
  const { typed, heldAt = [] } = await site.notes();
  if (typed !== undefined) await satisfyBySkill(site, typed);
  await lookBehind(site);
  const facts = await site.facts(activeGates(site.config));
  const refusals = isHeld === true || facts === undefined ? [] : askStop(site.config, facts);
  const gates = refusals.map(({ gate }) => gate.name);
  const isOver = isHeld !== true && !isSame(gates, heldAt);
  const isNoted =
    (typed === undefined && !isOver) ||
    (await site.note(({ typed: _typed, ...notes }) => ({ ...notes, ...(isOver && { heldAt: gates }) })));
  // One that cannot be written down would be held at every stop.
  if (refusals.length === 0 || isSame(gates, heldAt) || !isNoted) return nothing;
  return { type: "hold", reason: describeRefusals(refusals, site) };
}

/** A slash command that the user typed, as clients tell of it. */
export interface WireExpansion {
  readonly command_name?: unknown;
}

/** Remembers a typed command that stands for gates until the end of its turn: it has no other end. */
export async function onExpansion(
  site: GateSite,
  { command_name: typed }: WireExpansion,
): Promise<HookAnswer> {
  if (typeof typed !== "string" || findBySkill(site.config, typed).length === 0) return nothing;
  await site.note((notes) => ({ ...notes, typed }));
  return nothing;
}
