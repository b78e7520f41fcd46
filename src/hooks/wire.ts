import { parseIfJson } from "../lib/json.ts";

/** A hook payload as Claude Code writes it to standard input. What is not named here is kept as it is. */
export interface WireEvent {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly [field: string]: unknown;
}

/** Reads a payload; undefined for what is no payload of a hook. */
export function parseWireEvent(text: string): WireEvent | undefined {
  const value = parseIfJson(text);
  return isWireEvent(value) ? value : undefined;
}

function isWireEvent(value: unknown): value is WireEvent {
  if (typeof value !== "object" || value === null) return false;
  const { hook_event_name: name, session_id: session } = value as Partial<WireEvent>;
  return typeof name === "string" && typeof session === "string" && session !== "";
}

/** Something that a client told and that is recorded. */
export interface HookEvent {
  readonly client: "claude-code";
  readonly event: string;
  readonly session: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Whether this is a moment to work off the inbox. */
  readonly startsSync: boolean;
  /** Who may have an answer: gates where there are any, gates in any case, or Carryon itself, which takes its time. */
  readonly asks: "nobody" | "gates-if-any" | "gates" | "carryon";
}

type Fate = Pick<HookEvent, "startsSync" | "asks">;

/** What becomes of each event that is recorded. */
const fates: ReadonlyMap<string, Fate> = new Map<string, Fate>([
  // What answers takes in what is new first.
  ["SessionStart", { startsSync: false, asks: "carryon" }],
  ["UserPromptSubmit", { startsSync: false, asks: "nobody" }],
  ["UserPromptExpansion", { startsSync: false, asks: "gates-if-any" }],
  ["PreToolUse", { startsSync: false, asks: "gates-if-any" }],
  ["PostToolUse", { startsSync: false, asks: "gates-if-any" }],
  ["PostToolUseFailure", { startsSync: false, asks: "gates-if-any" }],
  ["PostToolBatch", { startsSync: false, asks: "nobody" }],
  ["SubagentStop", { startsSync: false, asks: "nobody" }],
  // The handover is drafted before context is lost.
  ["PreCompact", { startsSync: true, asks: "nobody" }],
  ["PostCompact", { startsSync: false, asks: "nobody" }],
  ["Stop", { startsSync: true, asks: "gates-if-any" }],
  // It is in the list of those that live, gates or not.
  ["SessionEnd", { startsSync: true, asks: "gates" }],
]);

/** Reduces a payload to an event that is recorded, or undefined for one that is not: new kinds must not break a session. */
export function toEvent(wire: WireEvent): HookEvent | undefined {
  const { hook_event_name: event, session_id: session, ...payload } = wire;
  const fate = fates.get(event);
  return fate && { client: "claude-code", event, session, payload, ...fate };
}
