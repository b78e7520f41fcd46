import type { GateSite } from "../gate-site.ts";
import { judge } from "../judge.ts";
import { afterTool } from "../verdict/after-tool.ts";
import { activeGates } from "../verdict/ask-tool.ts";
import type { ToolCall } from "../verdict/facts.ts";
import { guardsCall, writesOf } from "../verdict/guards-call.ts";

/** What wrote is not known by its words any more. */
const leftBehind: ToolCall = {
  tool: "Bash",
  shell: { command: "(left running)", verdict: "writes", found: new Set(), isCarryon: false },
};

/** Takes in what a command has written that ran on when its call had ended: it counts as if the call had written it. */
export async function lookBehind(site: GateSite): Promise<void> {
  if (!site.isBehindWatched()) return;
  const { config } = site;
  const gates = activeGates(config).filter(
    (gate) => guardsCall(gate, leftBehind, writesOf(gate, config)) === "shell-write",
  );
  const facts = await site.facts(gates);
  if (facts === undefined) return;
  // Whatever it writes from now on, nothing is against it.
  if (gates.every((gate) => judge(gate, facts).satisfied)) return site.forgetBehind();
  const wrote = await site.findBehind();
  if (wrote.length === 0) return;
  const outcome = { succeeded: false, wrote };
  await site.changeKnown(gates, (known) => afterTool({ ...config, gates }, known, leftBehind, outcome));
  site.forgetBehind();
}
