import { type GateSite, type HookAnswer, nothing } from "./gate-site.ts";
import { afterTool } from "./hooks/after-tool.ts";
import { atEnd, atStart, type WireStart } from "./hooks/at-start.ts";
import { atStop, onExpansion, type WireExpansion, type WireStop } from "./hooks/at-stop.ts";
import { beforeTool } from "./hooks/before-tool.ts";
import type { WireCall } from "./hooks/to-tool-call.ts";

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
