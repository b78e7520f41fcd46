import type { ChatEvent } from "./chat.ts";
import type { ChatSession } from "./chat-session.ts";
import { compact } from "./compact.ts";

/** When so much of a model's room is taken, the older messages are summed up before the next request. */
const fullShare = 0.8;
/** After a failure it is tried again when so much more is taken. */
const retryShare = 0.05;

/** Has the older messages summed up if the next request would nearly fill the model's room. */
export async function* makeRoom(session: ChatSession, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const limit = session.state.model.contextTokens;
  if (session.contextTokens < Math.max(limit * fullShare, session.fullAt)) return;
  yield* mustMakeRoom(session, signal);
}

/** Has the older messages summed up, and tells whether there is more room now. */
export async function* mustMakeRoom(
  session: ChatSession,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, boolean> {
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
