import type { Message } from "../sessions/entry.ts";
import { estimateMessage } from "./estimate-context.ts";

/** A talk in two: what a summary is to stand for, and what stays word for word. */
export interface SplitTalk {
  readonly older: readonly Message[];
  readonly kept: readonly Message[];
}

/** At most so many turns stay. */
const keptTurns = 3;

/**
 * Decides what of a talk stays word for word: its last turns, less than half of them, as far as they fit into the room.
 *
 * Where the last turn alone is too long for that, its prompt and its last messages stay. Undefined where nothing would be
 * left to sum up.
 */
export function splitTalk(messages: readonly Message[], room: number): SplitTalk | undefined {
  const starts = messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  const last = starts.at(-1) ?? 0;
  const split =
    sizeOf(messages.slice(last)) > room || starts.length < 2
      ? splitTurn(messages, last, room)
      : splitAt(messages, chooseStart(messages, starts, room));
  return split.older.length < 2 ? undefined : split;
}

function chooseStart(messages: readonly Message[], starts: readonly number[], room: number): number {
  const most = Math.min(keptTurns, Math.floor(starts.length / 2));
  const fitting = starts.slice(-most).find((start) => sizeOf(messages.slice(start)) <= room);
  return fitting ?? messages.length;
}

function splitAt(messages: readonly Message[], start: number): SplitTalk {
  return { older: messages.slice(0, start), kept: messages.slice(start) };
}

/** Keeps the prompt of a turn and its end; a result stays with its call. */
function splitTurn(messages: readonly Message[], start: number, room: number): SplitTalk {
  const prompt = messages.slice(start, start + 1).filter(({ role }) => role === "user");
  let end = messages.length;
  for (let index = messages.length - 1; index > start; index -= 1) {
    if (sizeOf(messages.slice(index)) > room / 2) break;
    if (messages[index]?.role === "assistant") end = index;
  }
  const kept = new Set([...prompt, ...messages.slice(end)]);
  return { older: messages.filter((message) => !kept.has(message)), kept: [...kept] };
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}
