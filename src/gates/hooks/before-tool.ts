import { describeRefusals, describeShortly, describeWarning } from "../describe-refusal.ts";
import type { Gate, GateConfig } from "../gate.ts";
import { type GateSite, type HookAnswer, nothing } from "../gate-site.ts";
import { type Facts, isMetBefore, judge, type ToolCall } from "../judge.ts";
import { afterTool } from "../verdict/after-tool.ts";
import {
  activeGates,
  askTool,
  guardsCall,
  type Refusal,
  type Warning,
  writesOf,
} from "../verdict/ask-tool.ts";
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
