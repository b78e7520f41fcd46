import { describeRefusals } from "./describe-refusal.ts";
import { type GateSite, type HookAnswer, nothing } from "./gate-site.ts";
import { afterTool } from "./hooks/after-tool.ts";
import { atEnd, atStart, type WireStart } from "./hooks/at-start.ts";
import { beforeTool, isSame } from "./hooks/before-tool.ts";
import { lookBehind } from "./hooks/look-behind.ts";
import { findBySkill, satisfyBySkill } from "./hooks/satisfy-by-skill.ts";
import type { WireCall } from "./hooks/to-tool-call.ts";
import { askStop } from "./verdict/ask-stop.ts";
import { activeGates } from "./verdict/ask-tool.ts";

/** An event as a client tells of it at a hook. Unknown fields are ignored. */
export interface WireHook extends WireCall, WireStart, WireStop, WireExpansion {
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
      return atEnd(site);
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
      return { hookSpecificOutput: { hookEventName: event, additionalContext: answer.text } };
  }
}

/** The end of a turn as clients tell of it. */
interface WireStop {
  /** Whether a hook has held the stop before this one already. */
  readonly stop_hook_active?: unknown;
}

/**
 * Answers whether a session may stop, once for the same gates in a row: somebody who cannot satisfy them must not go
 * round for ever. A command that the user typed in this turn has done its work by now, and counts first.
 */
async function atStop(site: GateSite, { stop_hook_active: isHeld }: WireStop): Promise<HookAnswer> {
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
interface WireExpansion {
  readonly command_name?: unknown;
}

/** Remembers a typed command that stands for gates until the end of its turn: it has no other end. */
async function onExpansion(site: GateSite, { command_name: typed }: WireExpansion): Promise<HookAnswer> {
  if (typeof typed !== "string" || findBySkill(site.config, typed).length === 0) return nothing;
  await site.note((notes) => ({ ...notes, typed }));
  return nothing;
}
