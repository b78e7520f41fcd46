import { type GateSite, type HookAnswer, nothing } from "../gate-site.ts";
import { afterTool as change, type Outcome } from "../verdict/after-tool.ts";
import { activeGates } from "../verdict/ask-tool.ts";
import type { ToolCall } from "../verdict/facts.ts";
import { guardsTool } from "../verdict/guards-call.ts";
import { findGates } from "./before-tool.ts";
import { isSettledAt } from "./is-settled.ts";
import { satisfyBySkill } from "./satisfy-by-skill.ts";
import { asRecord, callId, toToolCall, type WireCall } from "./to-tool-call.ts";

/** Takes in that a tool has run, and whether it succeeded. */
export async function afterTool(
  site: GateSite,
  wire: WireCall,
  { succeeded }: Pick<Outcome, "succeeded">,
): Promise<HookAnswer> {
  if (wire.tool_name === "Bash" && (await isSettledAt(site))) return nothing;
  const call = await toToolCall(wire, site);
  if (call === undefined) return nothing;
  const { skill } = asRecord(wire.tool_input);
  if (call.tool === "Skill" && typeof skill === "string") {
    return succeeded ? satisfyBySkill(site, skill) : nothing;
  }
  const gates = findGates(site, call);
  if (gates.length > 0 || isGuarded(site, call)) site.countTool(call.tool);
  if (gates.length === 0) return nothing;
  const runsOn = call.shell?.runsOn === true;
  const wrote = call.shell === undefined ? [] : await site.findWrites(callId(wire), { runsOn });
  const config = { ...site.config, gates };
  await site.changeKnown(gates, (facts) => change(config, facts, call, { succeeded, wrote }));
  return nothing;
}

/** Tells whether a gate guards a tool, although not this call of it: plans may be written at any time. */
function isGuarded({ config }: GateSite, { tool, shell }: ToolCall): boolean {
  return shell === undefined && activeGates(config).some((gate) => guardsTool(gate, tool));
}
