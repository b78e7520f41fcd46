import { usageError } from "../lib/app-error.ts";
import type { Model } from "../model/model.ts";
import { chatEvents, type JsonObject } from "../sessions/entry.ts";
import { EntryNotFound, nothingToFork } from "../sessions/errors.ts";
import type { EntryId, SessionId } from "../sessions/ids.ts";
import { newSessionId, parseTitle } from "../sessions/session-events.ts";
import { startAutoSave, type Ticker } from "./auto-save.ts";
import type {
  Chat,
  ChatDesk,
  ChatEvent,
  ChatState,
  ChatStatus,
  Draft,
  DraftData,
  Restored,
  TurnOptions,
} from "./chat.ts";
import type { ChatSession } from "./chat-session.ts";
import { compact } from "./compact.ts";
import { beginChatSession, resumeChatSession } from "./open-session.ts";
import { readSessionFile, type SessionFile, writeSessionFile } from "./session-file.ts";
import type { NewContent } from "./session-recorder.ts";
import { takeTurn } from "./take-turn.ts";

export interface OpenChatOptions {
  readonly desk: ChatDesk;
  readonly model: Model;
  /** The session to go on with; a new one unless given. */
  readonly session?: SessionId;
  /** What a new session is called. */
  readonly name?: string;
  /** Seconds between the saves of what is not yet a message; 0 for none. */
  readonly autoSaveInterval: number;
  readonly ticker: Ticker;
  /** Returns what is not yet a message, when it is saved from time to time. */
  readonly draft: () => Draft;
  /** Is told why such a save failed. */
  readonly onTrouble: (error: unknown) => void;
  /** Where a copy of the session is kept as well, and read from at the start. */
  readonly file?: SessionFile;
  /** Closes what the chat works with. */
  readonly close: () => Promise<void>;
}

/** Opens a chat: in a new session, or in one that is there, which is refused where somebody else writes it. */
export async function openChat(options: OpenChatOptions): Promise<Chat> {
  const { desk, model, name, file } = options;
  const state: ChatState = { model, usage: {}, approved: new Set() };
  const taken = file === undefined ? undefined : await readSessionFile(desk, file);
  const session = options.session ?? taken?.session;
  if (taken !== undefined && taken.session !== session)
    throw usageError(
      "bad-session-file",
      `The session file holds session ${taken.session}, and another one was named.`,
      { hint: "Name one of them." },
    );
  const opened =
    session === undefined
      ? await beginChatSession(desk, state, name)
      : await resumeChatSession(desk, state, session, taken);
  prepare(model);
  return new OpenChat(options, state, opened);
}

/** Lets a model load what its first request needs while the person types. */
function prepare(model: Model): void {
  // What is wrong with it, the first request tells.
  model.prepare?.().catch(() => undefined);
}

class OpenChat implements Chat {
  readonly #options: OpenChatOptions;
  readonly #state: ChatState;
  readonly #stopAutoSave: () => Promise<void>;
  readonly #ending = new AbortController();
  /** The session that the session file is a copy of: the one that the chat began with. */
  readonly #filed: SessionId;
  #session: ChatSession;
  #turn: AsyncGenerator<ChatEvent> | undefined;
  #phase: "open" | "ended" = "open";

  constructor(options: OpenChatOptions, state: ChatState, session: ChatSession) {
    this.#options = options;
    this.#state = state;
    this.#session = session;
    this.#filed = session.recorder.session;
    const { autoSaveInterval: interval, ticker, onTrouble, draft } = options;
    this.#stopAutoSave = startAutoSave({ interval, ticker, onTrouble, save: () => this.save(draft()) });
  }

  get status(): ChatStatus {
    const { recorder, title, messages, contextTokens } = this.#session;
    const { model, usage } = this.#state;
    return {
      ...{ session: recorder.session, title, model: model.name, messages, usage },
      ...{ contextTokens, contextLimit: model.contextTokens },
    };
  }

  get restored(): Restored {
    return this.#session.restored;
  }

  recent(limit: number) {
    return limit <= 0 ? [] : this.#session.entries.slice(-limit);
  }

  async *say(text: string, options: TurnOptions): AsyncGenerator<ChatEvent> {
    this.#requireIdle();
    if (text.trim() === "") throw usageError("empty-prompt", "There is nothing to say.");
    const signal = AbortSignal.any([options.signal, this.#ending.signal]);
    const session = this.#session;
    const turn = takeTurn(session, text, { ...options, signal });
    this.#turn = turn;
    try {
      for await (const event of turn) {
        if (event.type === "prompt-saved" && session.title === "") await session.refreshTitle();
        yield event;
      }
    } finally {
      this.#turn = undefined;
    }
  }

  async save(draft: Draft): Promise<void> {
    const session = this.#session;
    if (await recordSavePoint(session, draft)) await this.#copy(session);
  }

  async reset(draft: Draft): Promise<void> {
    this.#requireIdle();
    await this.save(draft);
    if (!this.#session.isMade) return;
    const { messages } = this.#session;
    await this.#session.record({ kind: "event", event: chatEvents.reset, data: { messages }, parent: null });
  }

  async load(session: SessionId, draft: Draft): Promise<Restored> {
    this.#requireIdle();
    await this.save(draft);
    if (session !== this.#session.recorder.session) await this.#changeTo(session, draft);
    return this.#session.restored;
  }

  async fork(at: number | undefined, draft: Draft): Promise<SessionId> {
    this.#requireIdle();
    await this.save(draft);
    const from = this.#session.recorder.session;
    if (!this.#session.isMade) throw nothingToFork(from);
    const { desk } = this.#options;
    const startedAt = desk.clock.now();
    const id = newSessionId(desk, startedAt);
    await desk.store.log.fork({
      ...{ id, from, cwd: desk.cwd, machine: desk.machine, startedAt },
      ...(at === undefined ? {} : { at: await this.#findEntry(from, at) }),
      branch: (await desk.place()).branch,
    });
    await this.#changeTo(id, draft);
    return id;
  }

  async rename(text: string): Promise<void> {
    await this.#session.rename(parseTitle(text));
  }

  async useModel(name: string): Promise<void> {
    this.#requireIdle();
    const model = await this.#options.desk.openModel(name);
    const before = this.#state.model.name;
    this.#state.model = model;
    prepare(model);
    // Where nothing was recorded yet, what is recorded first names the model.
    if (model.name === before || !this.#session.recorder.hasRecorded) return;
    await this.#session.record({
      ...{ kind: "event", event: chatEvents.modelChanged, data: { model: model.name, before } },
    });
  }

  async compact(signal: AbortSignal): Promise<string | undefined> {
    this.#requireIdle();
    return (await compact(this.#session, signal))?.summary;
  }

  async end(draft: Draft, how: "ended" | "interrupted"): Promise<void> {
    if (this.#phase === "ended") return;
    this.#phase = "ended";
    await this.#stopAutoSave();
    this.#ending.abort();
    // Nobody may be listening to it any more; what it has not recorded, it records now.
    await this.#turn?.return(undefined);
    await this.#leave(this.#session, draft, how);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.end(this.#session.saved.draft, "interrupted");
    } finally {
      await this.#options.close();
    }
  }

  #requireIdle(): void {
    if (this.#phase === "ended") {
      throw usageError("chat-ended", "This chat has ended.", { hint: "Start another one." });
    }
    if (this.#turn !== undefined) {
      throw usageError("turn-running", "The model is still at work.", {
        hint: "Wait until it is done, or stop it.",
      });
    }
  }

  /** Takes another session before it gives this one back: where that fails, nothing has changed. */
  async #changeTo(session: SessionId, draft: Draft): Promise<void> {
    const [before, next] = [this.#session, await resumeChatSession(this.#options.desk, this.#state, session)];
    // From now on what is saved from time to time is of the new one.
    this.#session = next;
    try {
      await this.#leave(before, draft, "ended");
    } catch (error) {
      this.#session = before;
      await next.recorder.release();
      throw error;
    }
  }

  /** Saves for the last time and gives the session back; one to which nothing was added stays as it is. */
  async #leave(session: ChatSession, draft: Draft, how: "ended" | "interrupted"): Promise<void> {
    await recordSavePoint(session, draft);
    const { hasRecorded } = session.recorder;
    if (hasRecorded) await session.record({ kind: "event", event: how, data: {} });
    // After a failure of the store it is not given back: that its writer is gone says that it was interrupted.
    await session.recorder.release();
    if (hasRecorded) await this.#copy(session);
  }

  async #copy({ recorder: { session } }: ChatSession): Promise<void> {
    const { desk, file } = this.#options;
    if (file !== undefined && session === this.#filed) await writeSessionFile(desk, file, session);
  }

  async #findEntry(session: SessionId, seq: number): Promise<EntryId> {
    const { log } = this.#options.desk.store;
    for await (const entry of log.read(session, { from: Math.max(seq, 1), to: seq })) return entry.id;
    throw new EntryNotFound(session, String(seq));
  }
}

/**
 * Records what is not yet a message, and where the work stands, if anything has changed since it was last recorded.
 *
 * Returns whether it has.
 */
async function recordSavePoint(session: ChatSession, draft: Draft): Promise<boolean> {
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
