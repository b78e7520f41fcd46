import type { ModelRequest, ToolOffer } from "../model/model.ts";
import type { Entry, MessageContent } from "../sessions/entry.ts";
import type { Session } from "../sessions/session.ts";
import { isReset } from "../sessions/visible-talk.ts";
import type { ChatDesk, ChatState, Draft, Restored } from "./chat.ts";
import { estimateContext } from "./estimate-context.ts";
import type { PartialReply } from "./partial-reply.ts";
import { readStretch } from "./read-stretch.ts";
import type { NewContent, SessionRecorder } from "./session-recorder.ts";
import { countMessages } from "./stretch.ts";
import { toModelMessages } from "./to-model-messages.ts";

/** The session that a chat is in: what it has read of it, and what is recorded since. */
export class ChatSession {
  readonly desk: ChatDesk;
  readonly state: ChatState;
  readonly recorder: SessionRecorder;
  readonly restored: Restored;
  /** The reply that is coming in, if one is. */
  partial: PartialReply | undefined;
  /** What the last save has kept that still counts; `recorded` is how much was recorded until then. */
  saved: { readonly draft: Draft; readonly reply: string; readonly recorded: number };
  /** How many entries this process has recorded. */
  recorded = 0;
  /** Making room failed; it is tried again when the next request is as long as this. */
  fullAt = 0;
  #title: string;
  #estimate:
    | { readonly entries: readonly Entry[]; readonly count: number; readonly tokens: number }
    | undefined;
  #entries: Entry[];
  #messages: number;
  readonly #isMade: boolean;
  #isWhole: boolean;

  constructor(parts: {
    readonly desk: ChatDesk;
    readonly state: ChatState;
    /** Makes the recorder, which tells what is on disk, and may ask what is in memory. */
    readonly makeRecorder: (
      onRecorded: (entries: readonly Entry[]) => void,
      known: () => readonly Entry[],
    ) => SessionRecorder;
    readonly entries: readonly Entry[];
    readonly messages: number;
    readonly title: string;
    readonly restored: Restored;
    /** Whether the session is in the store already. */
    readonly isMade: boolean;
    /** Whether all entries are given that a model is to know. */
    readonly isWhole: boolean;
  }) {
    this.desk = parts.desk;
    this.state = parts.state;
    this.#entries = [...parts.entries];
    this.#messages = parts.messages;
    this.#title = parts.title;
    this.restored = parts.restored;
    this.saved = { ...nothingSaved, draft: parts.restored.draft ?? nothingSaved.draft };
    this.#isMade = parts.isMade;
    this.#isWhole = parts.isWhole;
    this.recorder = parts.makeRecorder(
      (entries) => this.#take(entries),
      () => this.#entries,
    );
  }

  /** The entries that are in memory, since the last reset. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Messages since the last reset. */
  get messages(): number {
    return this.#messages;
  }

  /** How many tokens the next request takes, about. */
  get contextTokens(): number {
    const { system, toolbox } = this.desk;
    const [entries, count] = [this.#entries, this.#entries.length];
    // It is asked for at every drawing of a screen.
    if (this.#estimate?.entries !== entries || this.#estimate.count !== count) {
      const tokens = estimateContext(entries, { system, tools: toolbox?.tools.map(toOffer) ?? [] });
      this.#estimate = { entries, count, tokens };
    }
    return this.#estimate.tokens;
  }

  /** Whether the session is in the store: a new one is not before its first entry. */
  get isMade(): boolean {
    return this.#isMade || this.recorder.hasRecorded;
  }

  get title(): string {
    return this.#title;
  }

  /** Records what happened and returns after it is on disk. */
  record(...contents: readonly NewContent[]): Promise<readonly Entry[]> {
    return this.recorder.record(contents);
  }

  /** Records one message. */
  async say(message: MessageContent): Promise<Entry> {
    const [entry] = await this.record(message);
    if (entry === undefined) throw new TypeError("A message that was recorded has an entry.");
    return entry;
  }

  /** What the model is asked now. */
  request(): ModelRequest {
    const { system, toolbox, thinkingTokens, maxTokens } = this.desk;
    const tools = toolbox?.tools.map(toOffer) ?? [];
    return {
      ...(system === "" ? {} : { system }),
      messages: toModelMessages(this.#entries, this.state.model.name),
      ...(tools.length === 0 ? {} : { tools }),
      ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    };
  }

  /** Reads what was left out at the start, because a model has no room for it: whoever sums it up needs all of it. */
  async readWhole(): Promise<void> {
    if (this.#isWhole) return;
    const session = await findById(this.desk, this.recorder.session);
    if (session === undefined) return;
    const { entries } = await readStretch(this.desk.store.log, session);
    this.#entries = [...entries];
    this.#isWhole = true;
  }

  /** Gives the session a title; one that is not made yet has it from its beginning. */
  async rename(title: string): Promise<void> {
    const content: NewContent = { kind: "event", event: "titled", data: { title } };
    if (this.isMade) await this.record(content);
    else this.recorder.defer(content);
    this.#title = title;
  }

  /** Asks the store what the session is called: the first prompt names one that nobody has named. */
  async refreshTitle(): Promise<void> {
    const found = await findById(this.desk, this.recorder.session);
    if (found !== undefined) this.#title = found.title;
  }

  #take(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (isReset(entry)) {
        this.#entries = [];
        this.#messages = 0;
      }
      this.#entries.push(entry);
      this.saved = stillCounts(this.saved, entry);
    }
    this.#messages += countMessages(entries);
    this.recorded += entries.length;
  }
}

const nothingSaved = { draft: { input: "" }, reply: "", recorded: 0 } as const;

/** A draft is worth nothing any more once something was sent, and a reply that was coming in once a message was recorded. */
function stillCounts(saved: ChatSession["saved"], entry: Entry): ChatSession["saved"] {
  const isSent = isReset(entry) || (entry.kind === "message" && entry.role === "user");
  if (isSent) return { ...nothingSaved, recorded: saved.recorded };
  return entry.kind === "message" ? { ...saved, reply: "" } : saved;
}

/** Finds a session by its whole id. */
export async function findById(
  { store }: Pick<ChatDesk, "store">,
  id: Session["id"],
): Promise<Session | undefined> {
  return (await store.log.list({ id, limit: 1 })).sessions[0];
}

function toOffer({ name, description, input }: ToolOffer): ToolOffer {
  return { name, description, input };
}
