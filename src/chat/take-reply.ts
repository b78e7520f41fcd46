import { AppError } from "../lib/app-error.ts";
import type { ModelEvent, ModelReply } from "../model/model.ts";
import type { MessageContent } from "../sessions/entry.ts";
import type { ChatEvent } from "./chat.ts";
import type { ChatSession } from "./chat-session.ts";
import { PartialReply } from "./partial-reply.ts";
import { addUsage } from "./usage.ts";

/** What came of a request. */
export type Reply =
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
export async function* takeReply(
  session: ChatSession,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, Reply> {
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
  return { reply, error: noReply() };
}

function* toEvents(event: ModelEvent): Generator<ChatEvent> {
  if (event.type === "text" || event.type === "thinking" || event.type === "retry") yield event;
}

function noReply(): AppError {
  return new AppError("The model's answer ended without a reply.", {
    kind: "io",
    code: "no-reply",
    hint: "Ask again.",
  });
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
