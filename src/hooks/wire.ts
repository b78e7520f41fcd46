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
