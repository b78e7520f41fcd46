import type { ConversationLog } from "../sessions/conversation-log.ts";
import { chatEvents, type Entry } from "../sessions/entry.ts";
import { type EntryId, mainStrand } from "../sessions/ids.ts";
import { isMergedId } from "../sessions/merged-id.ts";
import type { Session } from "../sessions/session.ts";
import { isOwnSummary, isReset } from "../sessions/visible-talk.ts";
import { estimateMessage } from "./estimate-context.ts";
import { countMessages } from "./stretch.ts";

/** The part of a session that a chat goes on with. */
export interface ReadStretch {
  /** The path to the newest entry, in order: from the last reset or root on, or from what the last summary leaves. */
  readonly entries: readonly Entry[];
  /** Messages since the last reset, those included that were not read; undefined where nobody has noted how many there are. */
  readonly messages: number | undefined;
  /** Whether all is there that a model is to know: what is older than it has room for was not read. */
  readonly isWhole: boolean;
}

export interface StretchOptions {
  /** As soon as there are so many tokens, about, nothing older is read; all is read unless given. */
  readonly room?: number;
  /** How many entries are read first; each further reading is twice as long. */
  readonly reach?: number;
}

const firstReach = 512;

/**
 * Reads the stretch that a session is in, from its end backwards: as much as a model is to know, whatever came before.
 *
 * What a summary stands for is read only where nobody has noted how many messages that were.
 */
export async function readStretch(
  log: Pick<ConversationLog, "read">,
  session: Pick<Session, "id" | "entries">,
  { room = Number.POSITIVE_INFINITY, reach: first = firstReach }: StretchOptions = {},
): Promise<ReadStretch> {
  const walk = new Walk();
  let from = session.entries + 1;
  for (let reach = first; from > 1 && !walk.isDone && walk.tokens < room; reach *= 2) {
    const to = from - 1;
    from = Math.max(1, from - reach);
    walk.take(await Array.fromAsync(log.read(session.id, { from, to, strand: mainStrand })));
  }
  return walk.end(walk.isDone || from <= 1);
}

/** Goes up from the newest entry, as far as what was read reaches. */
class Walk {
  readonly #known = new Map<EntryId, Entry>();
  #read: readonly Entry[] = [];
  /** Newest first. */
  readonly #path: Entry[] = [];
  /** The next entry to go up to; null at the root, undefined before the first. */
  #next: EntryId | null | undefined;
  /** What is left of the last summary to be found, and how many messages there were when it was made. */
  #summary: { replaces: EntryId | null; missing: Set<EntryId>; messages: number | undefined } | undefined;
  /** How many tokens the messages on the path take, about. */
  tokens = 0;
  #noted: { readonly parent: EntryId | null; readonly messages: number } | undefined;

  get isDone(): boolean {
    if (this.#next === null) return true;
    if (this.#summary === undefined) return false;
    const { replaces, missing, messages } = this.#summary;
    return messages !== undefined && replaces === null && missing.size === 0;
  }

  /** Takes the entries before those that it has, in order, and goes on. */
  take(entries: readonly Entry[]): void {
    this.#read = [...entries, ...this.#read];
    for (const entry of entries) this.#known.set(entry.id, entry);
    if (this.#next === undefined) this.#next = entries.at(-1)?.id;
    for (let entry = this.#find(); entry !== undefined; entry = this.#find()) this.#pass(entry);
  }

  end(isWhole: boolean): ReadStretch {
    const entries = this.#withTwigs(this.#path.toReversed());
    return { entries, messages: this.#count(entries, isWhole), isWhole };
  }

  /** Counts from the last place at which it was noted how many messages there are; else from the root. */
  #count(entries: readonly Entry[], isWhole: boolean): number | undefined {
    const place = entries.findLastIndex((entry) => isOwnSummary(entry) || notedIn(entry) !== undefined);
    const entry = entries[place];
    const before = entry?.kind === "summary" ? this.#summary?.messages : entry && notedIn(entry);
    if (before !== undefined) return before + countMessages(entries.slice(place));
    return isWhole ? countMessages(entries) : undefined;
  }

  #find(): Entry | undefined {
    if (this.isDone || this.#next === undefined || this.#next === null) return undefined;
    return this.#known.get(this.#next);
  }

  #pass(entry: Entry): void {
    this.#path.push(entry);
    if (entry.kind === "message") this.tokens += estimateMessage(entry);
    this.#summary?.missing.delete(entry.id);
    if (this.#summary?.replaces === entry.id) this.#summary.replaces = null;
    if (entry.kind === "event") this.#note(entry);
    if (isOwnSummary(entry) && this.#summary === undefined) {
      const messages = this.#noted?.parent === entry.id ? this.#noted.messages : undefined;
      this.#summary = { replaces: entry.replaces, missing: new Set(entry.kept), messages };
    }
    this.#next = this.#before(entry);
  }

  #note(entry: Extract<Entry, { kind: "event" }>): void {
    const { messages } = entry.data;
    if (entry.event === chatEvents.compacted && typeof messages === "number")
      this.#noted = { parent: entry.parent, messages };
  }

  #before(entry: Entry): EntryId | null {
    if (isReset(entry)) return null;
    // A client begins a new root with a summary, although the talk goes on.
    const parent = entry.kind === "summary" ? (entry.parent ?? entry.replaces) : entry.parent;
    const known = parent === null ? undefined : this.#known.get(parent);
    // A parent that is later than its child, which only damage can bring, would lead in circles.
    return known !== undefined && known.seq >= entry.seq ? null : parent;
  }

  /** Adds the results of tools that run side by side: each follows its own call, and nothing follows it. */
  #withTwigs(path: readonly Entry[]): readonly Entry[] {
    const passed = new Set(path.map(({ id }) => id));
    const parents = new Set(this.#read.map(({ parent }) => parent));
    const isTwig = (entry: Entry) =>
      entry.kind === "message" &&
      entry.role === "tool" &&
      !passed.has(entry.id) &&
      !parents.has(entry.id) &&
      entry.parent !== null &&
      passed.has(entry.parent);
    const twigs = this.#read.filter(isTwig);
    return twigs.length === 0 ? path : [...path, ...twigs].sort((one, other) => one.seq - other.seq);
  }
}

/** Returns how many messages a save has noted. */
function notedIn(entry: Entry): number | undefined {
  if (entry.kind !== "checkpoint" || entry.state.chat !== true || isMergedId(entry.id)) return undefined;
  return typeof entry.state.messages === "number" ? entry.state.messages : undefined;
}
