import type { EntryContent } from "../sessions/entry.ts";
import type { EntryId } from "../sessions/ids.ts";
import { applyEntry, plainOpening, type SessionFacts, startFacts } from "../sessions/session-facts.ts";
import { decodeContent } from "./entry-codec.ts";
import { type StoredSession, toTagColumns } from "./session-row.ts";

/** An entry as far as it may describe its session. */
interface Described {
  readonly id: EntryId;
  readonly kind: string;
  readonly atMs: number;
  readonly body: string;
}

/** What a text that was scrubbed in the record itself has in it. */
const scrubMarker = "[redacted:scrubbed:";

const nothingNew: EntryContent = { kind: "message", role: "assistant", parts: [] };

/** Follows the entries that a session holds itself, and knows what its record must say. */
export class DescribedEntries {
  readonly #stored: StoredSession;
  #facts: SessionFacts;
  /** The opening as 0.1.0 would have made it: what it recorded stays. */
  #plainOpening: string | null;

  constructor(stored: StoredSession) {
    this.#stored = stored;
    const { title, opening } = stored.facts;
    const start = startFacts(stored.session.startedAt.getTime(), null);
    this.#facts = {
      ...start,
      // What it began with stands in no entry, so that the record has to be believed.
      title: title.stamp.by === "" ? title : start.title,
      opening: stored.session.forkedFrom === null ? null : opening,
    };
    this.#plainOpening = this.#facts.opening;
  }

  take({ id, kind, atMs, body }: Described): void {
    if (kind !== "event" && kind !== "message") return;
    // Of a message only the first words count, and reading all of them would double the work.
    const isNews = kind === "event" || this.#facts.opening === null;
    const content = isNews ? decodeContent(kind, body) : nothingNew;
    this.#plainOpening ??= plainOpening(content);
    this.#facts = applyEntry(this.#facts, { id, at: new Date(atMs), content });
  }

  /** Returns what of the record is not as the entries say; a scrub may change the words of either in its own way. */
  findDifference({
    hasScrubbed,
  }: {
    readonly hasScrubbed: boolean;
  }): "status" | "title" | "tags" | undefined {
    const [was, is] = [this.#stored.facts, this.#facts];
    if (!isSame(was.status, is.status)) return "status";
    const texts = [was.title.value ?? "", was.opening ?? ""];
    if (hasScrubbed || texts.some((text) => text.includes(scrubMarker))) return undefined;
    const openings = [is.opening, this.#plainOpening];
    if (!isSame(was.title, is.title) || !openings.includes(was.opening)) return "title";
    return toTagColumns(was.tags)[1] === toTagColumns(is.tags)[1] ? undefined : "tags";
  }
}

function isSame(one: SessionFacts["title"], other: SessionFacts["title"]): boolean {
  return one.value === other.value && one.stamp.atMs === other.stamp.atMs && one.stamp.by === other.stamp.by;
}
