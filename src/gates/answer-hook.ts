import { describeAgain, describeGates, describeRefusals, listGates } from "./describe-refusal.ts";
import { type Gate, type GateConfig, matchesSkill } from "./gate.ts";
import { type GateSite, type HookAnswer, nothing } from "./gate-site.ts";
import { beforeTool, findGates, isSame, isSettledAt, lookBehind } from "./hooks/before-tool.ts";
import { callId, toToolCall, type WireCall } from "./hooks/to-tool-call.ts";
import { asRecord } from "./json-object.ts";
import type { ToolCall } from "./judge.ts";
import type { GateChange, GateState, SessionKey } from "./state/gate-state.ts";
import { carryOver, afterTool as changeAfter, type Outcome, satisfy } from "./verdict/after-tool.ts";
import { activeGates, askStop, guardsTool } from "./verdict/ask-tool.ts";

/** An event as a client tells of it at a hook. Unknown fields are ignored. */
export interface WireHook extends WireCall, WireStart, WireStop, WireEnd, WireExpansion {
  readonly hook_event_name: string;
}

/** Answers an event for the gates. Kinds of events that are not known are answered with nothing. */
export function answerHook(site: GateSite, wire: WireHook): Promise<HookAnswer> {
  switch (wire.hook_event_name) {
    case "SessionStart":
      return atStart(site, wire);
    case "UserPromptExpansion":
      return onExpansion(site, wire);
    case "PreToolUse":
      return beforeTool(site, wire);
    case "PostToolUse":
      return afterTool(site, wire, { succeeded: true });
    case "PostToolUseFailure":
      return afterTool(site, wire, { succeeded: false });
    case "Stop":
      return atStop(site, wire);
    case "SessionEnd":
      return atEnd(site, wire);
    default:
      return Promise.resolve(nothing);
  }
}

/** Returns an answer in the form in which Claude Code takes it from a hook; undefined for no answer. */
export function toHookOutput(
  event: string,
  answer: HookAnswer,
): Readonly<Record<string, unknown>> | undefined {
  switch (answer.type) {
    case "nothing":
      return undefined;
    case "deny":
      return {
        hookSpecificOutput: {
          hookEventName: event,
          permissionDecision: "deny",
          permissionDecisionReason: answer.reason,
        },
      };
    case "hold":
      return { decision: "block", reason: answer.reason };
    case "tell":
      return {
        ...(answer.notice !== undefined && { systemMessage: answer.notice }),
        hookSpecificOutput: { hookEventName: event, additionalContext: answer.text },
      };
  }
}

/** The end of a turn as clients tell of it. */
interface WireStop {
  /** Whether a hook has held the stop before this one already. */
  readonly stop_hook_active?: unknown;
}

/**
 * Answers whether a session may stop. A stop that goes on from one that was held is never held: the client says so. A
 * command that the user typed in this turn has done its work by now, and counts first.
 */
async function atStop(site: GateSite, { stop_hook_active: isHeld }: WireStop): Promise<HookAnswer> {
  const { typed, heldAt = [] } = await site.notes();
  if (typed !== undefined) await satisfyBySkill(site, typed);
  await lookBehind(site);
  const facts = await site.facts(activeGates(site.config));
  const refusals = isHeld === true || facts === undefined ? [] : askStop(site.config, facts);
  const gates = refusals.map(({ gate }) => gate.name);
  const isAgain = isSame(gates, heldAt);
  const isSettled = refusals.length === 0 && typed === undefined && (isHeld === true || isAgain);
  if (isSettled) return nothing;
  const kept = isHeld === true ? heldAt : gates;
  const isNoted = await site.note(({ typed: _typed, ...notes }) => ({ ...notes, heldAt: kept }));
  // Where nothing can be written down, nobody could satisfy the gates either.
  if (refusals.length === 0 || !isNoted) return nothing;
  return { type: "hold", reason: (isAgain ? describeAgain : describeRefusals)(refusals, site) };
}

/** A slash command that the user typed, as clients tell of it. */
interface WireExpansion {
  readonly command_name?: unknown;
}

/** Remembers a typed command that stands for gates until the end of its turn: it has no other end. */
async function onExpansion(site: GateSite, { command_name: typed }: WireExpansion): Promise<HookAnswer> {
  if (typeof typed !== "string" || findBySkill(site.config, typed).length === 0) return nothing;
  await site.note((notes) => ({ ...notes, typed }));
  return nothing;
}

/** The beginning of a session as clients tell of it. */
interface WireStart {
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
  if (gates.length === 0 || !isContinued(site.config, source)) return;
  await site.continueWork(site.config.carryOver.windowSeconds, (facts, from) => [
    ...carryOver(site.config, facts, from),
    ...(site.config.clearAtEnd ? forgetSession(site.config, facts.state, from) : []),
  ]);
}

/** Tells whether work goes on in the session that a client begins, or begins after it ended one, for this reason. */
function isContinued({ carryOver: { enabled, sources } }: GateConfig, source: unknown): boolean {
  return enabled && typeof source === "string" && sources.includes(source);
}

/** Returns the changes that forget what a session satisfied for itself. */
function forgetSession(config: GateConfig, state: GateState, session: SessionKey): readonly GateChange[] {
  return activeGates(config)
    .filter(({ name, scope }) => scope === "session" && state.sessions(name).includes(session))
    .map(({ name }) => ({ type: "forget", gate: name, session }));
}

/** Takes in that a session begins, and tells it how the gates stand. */
async function atStart(site: GateSite, wire: WireStart): Promise<HookAnswer> {
  await takeInStart(site, wire);
  const gates = activeGates(site.config);
  const facts = site.config.injectContext && gates.length > 0 ? await site.facts(gates) : undefined;
  if (facts === undefined) return nothing;
  return { type: "tell", text: describeGates(listGates(site.config, facts), site.branch, site) };
}

/** The end of a session as clients tell of it. */
interface WireEnd {
  readonly reason?: unknown;
}

/**
 * Takes in that a session ends. What it satisfied stays, unless the configuration says otherwise; where its work goes on
 * under a new id, it is forgotten once that session has taken it over.
 */
async function atEnd(site: GateSite, { reason }: WireEnd): Promise<HookAnswer> {
  await site.unregister();
  if (site.config.clearAtEnd && !isContinued(site.config, reason))
    await site.change([], ({ state, session }) => forgetSession(site.config, state, session));
  return nothing;
}

/** Takes in that a tool has run, and whether it succeeded. */
async function afterTool(
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
  await site.changeKnown(gates, (facts) => changeAfter(config, facts, call, { succeeded, wrote }));
  return nothing;
}

/** Tells whether a gate guards a tool, although not this call of it: plans may be written at any time. */
function isGuarded({ config }: GateSite, { tool, shell }: ToolCall): boolean {
  return shell === undefined && activeGates(config).some((gate) => guardsTool(gate, tool));
}

/** Satisfies all gates that a skill stands for. What only a person may allow, no skill does. */
async function satisfyBySkill(site: GateSite, skill: string): Promise<HookAnswer> {
  const gates = findBySkill(site.config, skill);
  if (gates.length === 0) return nothing;
  const metadata = { skill };
  await site.change(gates, (facts) => gates.map((gate) => satisfy(gate, facts, { by: "skill", metadata })));
  await site.count({ skill, satisfied: gates.map(({ name }) => name) });
  return nothing;
}

/** Returns the gates that a skill stands for. */
function findBySkill(config: GateConfig, skill: string): readonly Gate[] {
  return activeGates(config).filter(
    ({ type, skills }) => type === "blocking" && skills.some((name) => matchesSkill(name, skill)),
  );
}
