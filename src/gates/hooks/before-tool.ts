import { describeRefusals, describeShortly, describeWarning } from "../describe-refusal.ts";
import type { Gate } from "../gate.ts";
import { type GateSite, type HookAnswer, nothing } from "../gate-site.ts";
import { isMetBefore } from "../judge.ts";
import { activeGates, askTool, type Refusal, type Warning } from "../verdict/ask-tool.ts";
import type { Facts, ToolCall } from "../verdict/facts.ts";
import { guardsCall, writesOf } from "../verdict/guards-call.ts";
import { isSettledAt } from "./is-settled.ts";
import { lookBehind } from "./look-behind.ts";
import { callId, toToolCall, type WireCall } from "./to-tool-call.ts";

/** How long somebody who was refused remembers why. */
const remembered = 5000;

/** Answers the question whether a tool may run. */
export async function beforeTool(site: GateSite, wire: WireCall): Promise<HookAnswer> {
  if (wire.tool_name === "Bash" && (await isSettledAt(site))) return nothing;
  const call = await toToolCall(wire, site);
  const gates = call === undefined ? [] : findGates(site, call);
  if (call === undefined || gates.length === 0) return nothing;
  if (call.shell !== undefined) await lookBehind(site);
  const facts = await site.facts(gates);
  if (facts === undefined) return nothing;
  const verdict = askTool({ ...site.config, gates }, facts, call);
  if (verdict.type === "refuse") return deny(site, verdict.refusals);
  if (gates.some((gate) => isWatched(gate, site, facts, call))) await site.markTree(callId(wire));
  return warn(site, verdict.warnings);
}

/** Returns the gates that have to do with a call. */
export function findGates({ config }: GateSite, call: ToolCall): readonly Gate[] {
  return activeGates(config).filter((gate) => guardsCall(gate, call, writesOf(gate, config)) !== "nothing");
}

/** Tells whether it matters to a gate what a command writes: not to one that is satisfied and has been met before. */
function isWatched(gate: Gate, { config }: GateSite, facts: Facts, call: ToolCall): boolean {
  if (guardsCall(gate, call, writesOf(gate, config)) !== "shell-write") return false;
  return gate.scope === "single_use" || !isMetBefore(gate, facts);
}

async function deny(site: GateSite, refusals: readonly Refusal[]): Promise<HookAnswer> {
  const gates = refusals.map(({ gate }) => gate.name);
  const { refused } = await site.notes();
  const at = site.now.getTime();
  // Where nothing can be written down, nobody could satisfy the gate either, and it would refuse for ever.
  const isNoted = await site.note((notes) => ({ ...notes, refused: { gates, at } }), { refused: gates });
  if (!isNoted) return nothing;
  const isRepeated = refused !== undefined && at - refused.at < remembered && isSame(gates, refused.gates);
  const describe = isRepeated ? describeShortly : describeRefusals;
  return { type: "deny", reason: describe(refusals, site) };
}

/** Tells whether two lists name the same gates. */
export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** Tells of a figure once, and again when it has grown by a tenth. */
async function warn(site: GateSite, warnings: readonly Warning[]): Promise<HookAnswer> {
  if (warnings.length === 0) return nothing;
  const { warned = {} } = await site.notes();
  const due = warnings.filter(({ gate, figure }) => figure >= (warned[gate.name] ?? 0) * 1.1);
  if (due.length === 0) return nothing;
  const figures = Object.fromEntries(due.map(({ gate, figure }) => [gate.name, figure]));
  await site.note((notes) => ({ ...notes, warned: { ...notes.warned, ...figures } }));
  return { type: "tell", text: due.map(describeWarning).join("\n") };
}
