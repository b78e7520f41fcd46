import { AppError, ioError } from "../lib/app-error.ts";
import type { ModelEvent, ModelReply } from "../model/model.ts";
import type { MessageContent } from "../sessions/entry.ts";
import { visibleTalk } from "../sessions/visible-talk.ts";
import { answerCalls, toResult } from "./answer-calls.ts";
import type { ChatEvent, TurnOptions } from "./chat.ts";
import type { ChatSession } from "./chat-session.ts";
import { compact } from "./compact.ts";
import { addUsage } from "./estimate-context.ts";
import { outcomes } from "./notes.ts";
import { PartialReply } from "./partial-reply.ts";
import { findOpenCalls } from "./to-model-messages.ts";

/** How many replies a turn may take: a model that calls tools for ever is stopped by somebody. */
const stepLimit = 100;

/** Says something to the model, and lets it work until it has nothing more to do. */
export async function* takeTurn(
  session: ChatSession,
  text: string,
  options: TurnOptions,
): AsyncGenerator<ChatEvent> {
  await closeCalls(session);
  const prompt = await session.say({ kind: "message", role: "user", parts: [{ type: "text", text }] });
  yield { type: "prompt-saved", entry: prompt.id };
  for (let step = 1; step <= stepLimit; step += 1) {
    const reply = yield* takeStep(session, options.signal);
    if (reply === undefined) return;
    const calls = reply.parts.filter((part) => part.type === "tool-call");
    if (calls.length === 0) return;
    if ((yield* answerCalls(session, calls, options)) === "stopped") return;
  }
  yield { type: "paused", steps: stepLimit };
}

/** Answers the calls of a turn that nobody has listened to until its end. */
async function closeCalls(session: ChatSession): Promise<void> {
  await session.recorder.recordUnsaved();
  const open = findOpenCalls(visibleTalk(session.entries).messages);
  if (open.length === 0) return;
  await session.record(...open.map(({ call }) => toResult(call, { output: outcomes.unknown, failed: true })));
}

/** Asks once, with room made before where it is needed; once more where the model says that there was too little. */
async function* takeStep(
  session: ChatSession,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, ModelReply | undefined> {
  yield* makeRoom(session, signal);
  const first = yield* takeReply(session, signal);
  if (first.type !== "failed") return first.type === "whole" ? first.reply : undefined;
  if (!isTooLong(first.error) || !(yield* mustMakeRoom(session, signal))) throw first.error;
  const second = yield* takeReply(session, signal);
  if (second.type === "failed") throw second.error;
  return second.type === "whole" ? second.reply : undefined;
}

function isTooLong(error: unknown): boolean {
  return error instanceof AppError && error.code === "context-too-long";
}

/** When so much of a model's room is taken, the older messages are summed up before the next request. */
const fullShare = 0.8;
/** After a failure it is tried again when so much more is taken. */
const retryShare = 0.05;

/** Has the older messages summed up if the next request would nearly fill the model's room. */
async function* makeRoom(session: ChatSession, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const limit = session.state.model.contextTokens;
  if (session.contextTokens < Math.max(limit * fullShare, session.fullAt)) return;
  yield* mustMakeRoom(session, signal);
}

/** Has the older messages summed up, and tells whether there is more room now. */
async function* mustMakeRoom(session: ChatSession, signal: AbortSignal): AsyncGenerator<ChatEvent, boolean> {
  const before = session.contextTokens;
  try {
    const compacted = await compact(session, signal);
    if (compacted !== undefined) {
      session.fullAt = 0;
      yield { type: "compacted", ...compacted };
      return true;
    }
  } catch {
    // The request is sent as it is: it may still fit, and if not, the model's own words say what is wrong. Nothing is lost.
  }
  session.fullAt = before + session.state.model.contextTokens * retryShare;
  return false;
}

/** What came of a request. */
type Reply =
  | { readonly type: "whole"; readonly reply: ModelReply }
  /** The person stopped it; what had come is recorded. */
  | { readonly type: "stopped" }
  /** It was refused before anything had come. */
  | { readonly type: "failed"; readonly error: unknown };

/**
 * Asks the model once, tells what comes, and records the reply, or what there is of it when it is cut off.
 *
 * A reply that breaks off after its beginning is recorded, told, and its error thrown. Who stops listening cuts it off too.
 */
async function* takeReply(session: ChatSession, signal: AbortSignal): AsyncGenerator<ChatEvent, Reply> {
  const partial = new PartialReply();
  session.partial = partial;
  let hearing: Hearing | undefined;
  try {
    hearing = yield* listen(session, partial, signal);
  } finally {
    session.partial = undefined;
    if (hearing === undefined) await recordCutOff(session, partial);
  }
  if (hearing.reply !== undefined) return yield* recordReply(session, hearing.reply);
  const entry = await recordCutOff(session, partial);
  if (signal.aborted) {
    yield { type: "interrupted", reason: "stopped", entry };
    return { type: "stopped" };
  }
  if (entry === undefined) return { type: "failed", error: hearing.error };
  yield { type: "interrupted", reason: "lost", entry };
  throw hearing.error;
}

/** A reply, or why there is none. */
interface Hearing {
  readonly reply: ModelReply | undefined;
  readonly error: unknown;
}

async function* listen(
  session: ChatSession,
  partial: PartialReply,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, Hearing> {
  let reply: ModelReply | undefined;
  const incoming = session.state.model.stream(session.request(), signal)[Symbol.asyncIterator]();
  try {
    for (let next = await incoming.next(); !next.done; next = await incoming.next()) {
      if (next.value.type === "reply") reply = next.value.reply;
      partial.take(next.value);
      yield* toEvents(next.value);
    }
  } catch (error) {
    return { reply, error };
  } finally {
    // The model need not go on for somebody who does not listen any more.
    await incoming.return?.();
  }
  return {
    reply,
    error: ioError("no-reply", "The model's answer ended without a reply.", { hint: "Ask again." }),
  };
}

function* toEvents(event: ModelEvent): Generator<ChatEvent> {
  if (event.type === "text" || event.type === "thinking" || event.type === "retry") yield event;
}

async function* recordReply(session: ChatSession, reply: ModelReply): AsyncGenerator<ChatEvent, Reply> {
  const { parts, usage, end } = reply;
  session.state.usage = addUsage(session.state.usage, usage);
  const message: MessageContent = {
    ...{ kind: "message", role: "assistant", parts },
    // As the user names it: with its provider, who alone takes back what it has signed.
    model: session.state.model.name,
    usage,
  };
  const { id } = await session.say(message);
  yield { type: "reply-saved", entry: id, message, end };
  return { type: "whole", reply };
}

async function recordCutOff(session: ChatSession, partial: PartialReply) {
  const message = partial.toMessage(session.state.model.name);
  return message === undefined ? undefined : (await session.say(message)).id;
}
