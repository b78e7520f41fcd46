import { usageError } from "../lib/app-error.ts";
import { chatEvents, type Entry } from "../sessions/entry.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import { newSessionId, parseTitle } from "../sessions/session-events.ts";
import { beginSession, holdSession, type WriterOptions } from "../sessions/session-writer.ts";
import { visibleTalk } from "../sessions/visible-talk.ts";
import { toResult } from "./answer-calls.ts";
import type { ChatDesk, ChatState, Restored } from "./chat.ts";
import { ChatSession, findById } from "./chat-session.ts";
import { outcomes } from "./notes.ts";
import { cutOffReply } from "./partial-reply.ts";
import { readStretch } from "./read-stretch.ts";
import { makeRescue, type NewContent, SessionRecorder } from "./session-recorder.ts";
import { findDraft, findModel, isSameModel } from "./stretch.ts";
import { findOpenCalls } from "./to-model-messages.ts";

/** Of the room of a model, how much is read of a session before it is known that all of it has to be. */
const readShare = 2;

const nothingRestored: Restored = {
  messages: 0,
  summary: undefined,
  draft: undefined,
  modelBefore: undefined,
  repaired: 0,
  partial: false,
  file: undefined,
};

/** Begins a session; it is made when there is something to record in it. */
export async function beginChatSession(
  desk: ChatDesk,
  state: ChatState,
  name: string | undefined,
): Promise<ChatSession> {
  const title = name === undefined ? undefined : parseTitle(name);
  const startedAt = desk.clock.now();
  const { branch } = await desk.place();
  const start = {
    id: newSessionId(desk, startedAt, title),
    project: desk.project,
    client: "carryon-chat",
    ...(title === undefined ? {} : { title }),
    cwd: desk.cwd,
    branch,
    machine: desk.machine,
    startedAt,
  } as const;
  return new ChatSession({
    ...{ desk, state, entries: [], messages: 0, title: title ?? "", restored: nothingRestored },
    ...{ isMade: false, isWhole: true },
    makeRecorder: (onRecorded, known) =>
      new SessionRecorder(beginSession(desk.store, start, leaseOf(desk)), {
        ...{ clock: desk.clock, random: desk.random, onRecorded, rescue: makeRescue(desk, start.id, known) },
        opening: () => [openingEvent(desk, state, chatEvents.started)],
      }),
  });
}

/** Takes a session that is there, and brings to its end what a crash has left open in it. */
export async function resumeChatSession(
  desk: ChatDesk,
  state: ChatState,
  id: SessionId,
  file?: Restored["file"],
): Promise<ChatSession> {
  refuseForeign(await findSession(desk, id));
  const target = await holdSession(desk.store, { id, updatedAt: desk.clock.now() }, leaseOf(desk));
  try {
    // As it is now that nobody else can write it.
    const session = await findSession(desk, id);
    const room = state.model.contextTokens * readShare;
    const {
      entries,
      isWhole,
      messages = session.messages,
    } = await readStretch(desk.store.log, session, { room });
    const rest = findRest(entries, state.model.name);
    const chat = new ChatSession({
      ...{ desk, state, entries, messages, title: session.title },
      ...{ isMade: true, isWhole },
      restored: { ...rest.restored, messages: messages + rest.repairs.length, file: toTold(file) },
      makeRecorder: (onRecorded, known) =>
        new SessionRecorder(
          { ...target, since: session.updatedAt },
          {
            ...{ clock: desk.clock, random: desk.random, onRecorded, rescue: makeRescue(desk, id, known) },
            opening: () => [openingEvent(desk, state, chatEvents.resumed)],
          },
        ),
    });
    if (rest.repairs.length > 0) await chat.record(...rest.repairs);
    return chat;
  } catch (error) {
    await target.release();
    throw error;
  }
}

function toTold(file: Restored["file"]): Restored["file"] {
  return file === undefined ? undefined : { type: file.type, more: file.more };
}

/** What the last process has left: what is to be recorded for it, and what the person is told. */
function findRest(
  entries: readonly Entry[],
  model: string,
): { readonly repairs: readonly NewContent[]; readonly restored: Restored } {
  const { summary, messages } = visibleTalk(entries);
  const { input, reply } = findDraft(entries);
  const before = findModel(entries);
  const open = findOpenCalls(messages);
  const partial = reply.trim() === "" ? [] : [cutOffReply([{ type: "text", text: reply }], before ?? model)];
  const results = open.map(({ call }) => toResult(call, { output: outcomes.crashed, failed: true }));
  return {
    repairs: [...results, ...partial],
    restored: {
      ...{ messages: messages.length, summary },
      draft: input === "" ? undefined : { input },
      modelBefore: before === undefined || isSameModel(before, model) ? undefined : before,
      repaired: open.length,
      partial: partial.length > 0,
      file: undefined,
    },
  };
}

async function findSession(desk: ChatDesk, id: SessionId): Promise<Session> {
  const session = await findById(desk, id);
  if (session === undefined) throw new SessionNotFound(id);
  return session;
}

function openingEvent({ version }: ChatDesk, { model }: ChatState, event: string): NewContent {
  return { kind: "event", event, data: { model: model.name, program: "carryon chat", version } };
}

function leaseOf({ clock, leaseMs }: ChatDesk): WriterOptions {
  const duration = leaseMs === undefined ? {} : { leaseMs };
  return { program: "carryon chat", now: clock.now(), ...duration };
}

/**
 * Makes sure that a session is one that a chat may write; throws otherwise.
 *
 * What a client writes stays its own: it would not know of what was added. A fork of it is nobody's but ours.
 */
function refuseForeign({ id, client, clientSessionId, forkedFrom }: Session): void {
  if (client === "carryon-chat" || client === "carryon-append") return;
  if (client === "carryon-run") {
    throw usageError("not-a-chat", `Session ${id} is a run of instructor and worker, and no chat.`, {
      hint: `Go on with it: \`carryon run --resume --session ${id}\``,
    });
  }
  if (forkedFrom !== null && clientSessionId === null && client !== "carryon-handover") return;
  throw usageError("not-a-chat", `Session ${id} is written by ${client}, and not by a chat.`, {
    hint: `Go on in a fork: \`carryon fork ${id}\`, and give its id to \`carryon chat --session\`.`,
  });
}
