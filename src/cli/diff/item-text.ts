import { isJsonObject } from "../../clients/claude-code/wire.ts";
import { parseIfJson } from "../../lib/json.ts";
import type { DiffItem } from "../../sessions/session-diff.ts";
import { describeEvent } from "../transcript/describe-event.ts";

/** Returns what an item says; an event is told as a transcript tells it. */
export function itemText({ kind, name, text, omitted }: DiffItem): string {
  const data = kind === "event" && omitted === 0 ? parseIfJson(text) : undefined;
  return isJsonObject(data) ? describeEvent(name, data) : text;
}
