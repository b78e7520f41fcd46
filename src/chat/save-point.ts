import { chatEvents } from "../sessions/chat-events.ts";
import type { JsonObject } from "../sessions/entry.ts";
import type { Draft, DraftData } from "./chat.ts";
import type { ChatSession } from "./chat-session.ts";
import type { NewContent } from "./session-recorder.ts";

/**
 * Records what is not yet a message, and where the work stands, if anything has changed since it was last recorded.
 *
 * Returns whether it has.
 */
export async function recordSavePoint(session: ChatSession, draft: Draft): Promise<boolean> {
  const { saved } = session;
  const reply = session.partial?.text ?? "";
  const isNewDraft = draft.input !== saved.draft.input || reply !== saved.reply;
  const isNewTalk = session.recorded !== saved.recorded;
  if (!isNewDraft && !isNewTalk) return false;
  const contents: readonly NewContent[] = [
    ...(isNewDraft ? [draftEvent({ input: draft.input, reply })] : []),
    { kind: "checkpoint", state: await describeState(session) },
  ];
  await session.record(...contents);
  session.saved = { draft, reply, recorded: session.recorded };
  return true;
}

function draftEvent(data: DraftData): NewContent {
  return { kind: "event", event: chatEvents.draft, data };
}

async function describeState({ desk, state, messages }: ChatSession): Promise<JsonObject> {
  const { branch, commit } = await desk.place();
  return { chat: true, folder: desk.cwd, branch, commit, model: state.model.name, messages };
}
