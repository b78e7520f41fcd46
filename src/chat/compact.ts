import { type AppError, ioError } from "../lib/app-error.ts";
import { toWellFormed } from "../model/call-input.ts";
import type { ModelReply } from "../model/model.ts";
import { chatEvents } from "../sessions/chat-events.ts";
import type { Message } from "../sessions/entry.ts";
import { visibleTalk } from "../sessions/visible-talk.ts";
import type { ChatSession } from "./chat-session.ts";
import { estimateMessage } from "./estimate-context.ts";
import { renderSummaryRequest, summarySystem } from "./summary-prompt.ts";
import { addUsage } from "./usage.ts";

/** What a compaction has done. */
export interface Compacted {
  readonly summary: string;
  /** How many messages it stands for. */
  readonly messages: number;
}

/** Of the room of a model, how much may stay word for word. */
const keptShare = 0.2;
/** The most tokens that a record takes. */
const recordTokens = 8192;
/** Characters of a token, at least: the request for a record must fit. */
const charactersPerToken = 3;

/**
 * Has the model sum up the older messages, and records that, so that it sees the record in their place from now on.
 *
 * Undefined where there is too little. When it fails, nothing has changed.
 */
export async function compact(session: ChatSession, signal: AbortSignal): Promise<Compacted | undefined> {
  await session.readWhole();
  const { summary, messages } = visibleTalk(session.entries);
  const { model } = session.state;
  const split = splitTalk(messages, model.contextTokens * keptShare);
  const last = split?.older.at(-1);
  if (split === undefined || last === undefined) return undefined;
  const maxTokens = Math.min(recordTokens, Math.floor(model.contextTokens / 4));
  const room = Math.max(2000, (model.contextTokens - maxTokens) * charactersPerToken * 0.9);
  const reply = await ask(session, renderSummaryRequest({ summary, messages: split.older }, room), {
    maxTokens,
    signal,
  });
  const text = textOf(reply);
  const kept = split.kept.map(({ id }) => id);
  const count = session.messages;
  await session.record(
    { kind: "summary", text, replaces: last.id, ...(kept.length === 0 ? {} : { kept }) },
    // Whoever resumes the session needs not read what the summary stands for to count it.
    { kind: "event", event: chatEvents.compacted, data: { messages: count, model: model.name } },
  );
  return { summary: text, messages: split.older.length };
}

async function ask(
  { state }: ChatSession,
  prompt: string,
  { maxTokens, signal }: { readonly maxTokens: number; readonly signal: AbortSignal },
): Promise<ModelReply> {
  let reply: ModelReply | undefined;
  const request = {
    system: summarySystem,
    messages: [{ role: "user", parts: [{ type: "text", text: toWellFormed(prompt) }] }],
    maxTokens,
  } as const;
  for await (const event of state.model.stream(request, signal)) {
    if (event.type === "reply") reply = event.reply;
  }
  signal.throwIfAborted();
  if (reply === undefined) throw noSummary();
  state.usage = addUsage(state.usage, reply.usage);
  return reply;
}

function textOf({ parts, end }: ModelReply): string {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (end === "refused" || text.trim() === "") throw noSummary();
  return text.trim();
}

function noSummary(): AppError {
  return ioError("no-summary", "The model wrote no summary; the conversation is as it was.", {
    hint: "Try again, or begin anew with /reset.",
  });
}

/** A talk in two: what a summary is to stand for, and what stays word for word. */
interface SplitTalk {
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
function splitTalk(messages: readonly Message[], room: number): SplitTalk | undefined {
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
