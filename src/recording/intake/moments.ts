import { isJsonObject } from "../../clients/claude-code/wire.ts";
import type { InboxItem } from "../../sessions/inbox.ts";

/** The part of a session's talk from the end of one turn to the end of the next, by the clock. */
export interface TurnSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** After these something may have to be written down in the project. */
const moments: ReadonlySet<string> = new Set(["Stop", "PreCompact", "SubagentStop", "SessionEnd"]);

/** Tells whether something may have to be written down in the project because of an item. */
export function isMoment({ event }: Pick<InboxItem, "event">): boolean {
  return moments.has(event);
}

/** Tells whether a session begins with an item: the one before it may have been cut off. */
export function isBeginning({ event }: Pick<InboxItem, "event">): boolean {
  return event === "SessionStart";
}

/** Tells whether an item says what a turn runs: a command that was typed, or a skill that was loaded. */
export function tellsCommand({ event, payload }: InboxItem): boolean {
  if (event === "UserPromptExpansion") return true;
  return event === "PostToolUse" && isJsonObject(payload) && payload.tool_name === "Skill";
}

/**
 * Returns the turn that goes on or ends with an item, after the one that was over before.
 *
 * A stop that a hook has held ends nothing: the turn goes on, and its next stop says so.
 */
export function turnAt({ payload, receivedAt }: InboxItem, before: TurnSpan | null): TurnSpan {
  const goesOn = isJsonObject(payload) && payload.stop_hook_active === true;
  const fromMs = (goesOn ? before?.fromMs : before?.toMs) ?? 0;
  return { fromMs, toMs: receivedAt.getTime() };
}

/** Returns the last turn that was over after some items, which are in their order. */
export function followTurns(before: TurnSpan | null, items: readonly InboxItem[]): TurnSpan | null {
  return items
    .filter(({ event }) => event === "Stop")
    .reduce((last, item) => {
      const turn = turnAt(item, last);
      // What comes out of the spool may be older.
      return last !== null && turn.toMs < last.toMs ? last : turn;
    }, before);
}
