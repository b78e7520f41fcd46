import { type EntryContent, messageText, type NewEntry } from "../../sessions/entry.ts";
import type { EntryId } from "../../sessions/ids.ts";
import { observed } from "../../sessions/observations.ts";
import { readPromptText } from "./prompt-text.ts";
import { findKeys } from "./queued-key.ts";
import { timeOf } from "./session-facts.ts";
import type { QueuedPrompt } from "./transcript-state.ts";
import { type ChainRow, type StateRow, textOf } from "./wire.ts";

/** What a prompt says of those in the queue. */
export interface Settled {
  /** Those that it repeats. */
  readonly found: readonly QueuedPrompt[];
  /** Those that no row will repeat any more. */
  readonly lost: readonly QueuedPrompt[];
}

/** What was never repeated so far back never will be. */
const remembered = 64;

/** The prompts that wait while the model works. A client gives some to the model without ever writing them as a row. */
export class PromptQueue {
  #queued: readonly QueuedPrompt[];

  constructor(queued: readonly QueuedPrompt[]) {
    this.#queued = queued;
  }

  get queued(): readonly QueuedPrompt[] {
    return this.#queued;
  }

  /** Takes a row that says what was typed; returns those that are waited for no longer. */
  add({ fields }: StateRow, parent: EntryId | null): readonly QueuedPrompt[] {
    const [at, text, digest] = [timeOf(fields), textOf(fields, "content"), textOf(fields, "digest")];
    if (at === undefined || text === undefined || digest === undefined) return [];
    // The client also queues its own news.
    const read = readPromptText(text);
    if (read.type === "filler" || (read.type === "happened" && read.event.event !== "command")) return [];
    const id = `queued-${Date.parse(at)}-${digest}` as EntryId;
    if (this.#queued.some((each) => each.id === id)) return [];
    const queued = [...this.#queued, { id, at, text, digest, lines: Number(fields.lines), parent }];
    this.#queued = queued.slice(-remembered);
    return queued.slice(0, -remembered);
  }

  /** Takes what a row of the conversation says that was typed at a moment. */
  settle({ text, at, isPrompt }: Typed): Settled {
    // The rows that a fork copies are older than what was typed in it.
    const before = this.#queued.filter((each) => each.at <= at);
    const found = findKeys(text, before);
    // Those that wait become prompts one after another; whatever else is asked for comes after all of them.
    const lost = isPrompt && found.length === 0 ? before : [];
    const settled = new Set([...found, ...lost]);
    if (settled.size > 0) this.#queued = this.#queued.filter((each) => !settled.has(each));
    return { found, lost };
  }
}

/** What somebody typed, as a row of the conversation says. */
export interface Typed {
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** Whether a turn begins with it. */
  readonly isPrompt: boolean;
}

/** Returns what was typed, if that is what a row tells of. */
export function readTyped({ type, fields }: ChainRow, content: EntryContent): Typed | undefined {
  const at = timeOf(fields);
  if (at === undefined) return undefined;
  if (content.kind === "message" && content.role === "user")
    return { text: messageText(content), at, isPrompt: type === "user" };
  if (content.kind !== "event" || content.event !== "command") return undefined;
  const { name, args } = content.data;
  return { text: `${name} ${args}`, at, isPrompt: false };
}

/** Makes the entry that says what was typed; none where that is recorded already. */
export function toObservation({ id, at, text, parent }: QueuedPrompt): readonly NewEntry[] {
  if (text === null) return [];
  return [{ ...observed(id, new Date(at), "prompt-seen", { prompt: text, how: "queued" }), parent }];
}

/** Tells whether an entry says what was typed while the model worked. */
export function isQueuedEntry({ id }: Pick<NewEntry, "id">): boolean {
  return id.startsWith("queued-");
}
