import type { WireEvent } from "./wire.ts";

/** Something that a client told and that is recorded. */
export interface HookEvent {
  readonly client: "claude-code";
  readonly event: string;
  readonly session: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Whether this is a moment to work off the inbox. */
  readonly startsSync: boolean;
}

/** Reduces a payload to an event that is recorded, or undefined for one that is not: new kinds must not break a session. */
export function toEvent(wire: WireEvent): HookEvent | undefined {
  switch (wire.hook_event_name) {
    case "SessionStart":
    case "Stop":
    case "SessionEnd":
      return record(wire, { startsSync: true });
    case "UserPromptSubmit":
    case "UserPromptExpansion":
    case "PreToolUse":
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PostToolBatch":
    case "SubagentStop":
    case "PreCompact":
    case "PostCompact":
      return record(wire, { startsSync: false });
    default:
      return undefined;
  }
}

function record(wire: WireEvent, { startsSync }: Pick<HookEvent, "startsSync">): HookEvent {
  const { hook_event_name: event, session_id: session, ...payload } = wire;
  return { client: "claude-code", event, session, payload, startsSync };
}
