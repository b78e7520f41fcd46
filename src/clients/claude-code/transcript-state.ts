import type { EntryId } from "../../sessions/ids.ts";
import type { CountedUsage } from "./count-usage.ts";
import type { KnownRow } from "./known-rows.ts";
import type { Link } from "./links.ts";
import type { TextKey } from "./queued-key.ts";
import type { Turn } from "./read-turn.ts";

/** What a transcript says of its session. Times are ISO 8601. */
export interface TranscriptFacts {
  readonly startedAt: string | null;
  readonly updatedAt: string | null;
  /** Where the session began, or where the client moved it. */
  readonly cwd: string | null;
  readonly branch: string | null;
  /** The client's version that wrote the newest row. */
  readonly version: string | null;
  readonly title: string | null;
  readonly tag: string | null;
  /** The entry at which the conversation stands: the newest row's, or its nearest recorded ancestor. */
  readonly leaf: EntryId | null;
  readonly lastPrompt: LastPrompt | null;
  /** The first entries: another session that has them is the origin of this one, or its fork. */
  readonly leading: readonly EntryId[];
  readonly forkedFrom: CopiedFrom | null;
  /** Where the talk stands; null before the first prompt. */
  readonly turn: Turn | null;
}

/** The client's own note of what was asked last and where that stands; a `leaf` of null says that it was withdrawn. */
export interface LastPrompt {
  readonly text: string | null;
  readonly leaf: string | null;
}

/** The last row that was copied from another session, when the rows say so. */
export interface CopiedFrom {
  readonly session: string;
  /** Its id there. */
  readonly message: string;
  /** Its entry here. */
  readonly entry: EntryId;
}

/** A compaction whose summary has not come yet. */
export interface Boundary {
  readonly replaces: EntryId | null;
  readonly kept: readonly EntryId[];
  /** The rows that were kept; not in states of older versions. */
  readonly keptRows?: readonly string[];
}

/** A title, a tag or a link that waits for the first entry of the conversation. */
export interface Announcement {
  readonly event: "titled" | "tagged" | "pull-request";
  readonly data: { readonly [key: string]: string | number | readonly string[] };
}

/** Something that the user typed while the model worked, and of which no row of the conversation has told yet. */
export interface QueuedPrompt extends TextKey {
  readonly id: EntryId;
  /** ISO 8601. */
  readonly at: string;
  /** Where the conversation stood. */
  readonly parent: EntryId | null;
  /** Null once it is recorded. */
  readonly text: string | null;
}

/** Everything that reading goes on from: plain JSON, whose size has a limit. */
export interface TranscriptState {
  readonly session: string;
  /** The subagent whose transcript it is. */
  readonly agent: string | null;
  readonly rows: readonly KnownRow[];
  readonly usage: readonly CountedUsage[];
  readonly boundary: Boundary | null;
  /** The newest row of the conversation for which an entry stands. */
  readonly tip: string | null;
  /** What the session was named by whom: the user's word counts more than the client's. */
  readonly titles: { readonly custom: string; readonly ai: string; readonly summary: string };
  /** The pull request that was linked last. */
  readonly link: string | null;
  /** How many titles, tags and links were recorded. */
  readonly announced: number;
  readonly waiting: readonly Announcement[];
  /** What the newest rows are about, for hooks that tell of it later. */
  readonly links: readonly Link[];
  /** What was typed while the model worked and no row has told of yet; not in states of older versions. */
  readonly queue?: readonly QueuedPrompt[];
  /** The calls of Carryon that have no result yet; not in states of older versions. */
  readonly ownCalls?: readonly string[];
  readonly facts: TranscriptFacts;
}

/** Returns the state before the first row of a session's transcript, or of one of its subagents'. */
export function startTranscript(session: string, agent: string | null = null): TranscriptState {
  return {
    ...{ session, agent, rows: [], usage: [], boundary: null, tip: null },
    titles: { custom: "", ai: "", summary: "" },
    link: null,
    announced: 0,
    waiting: [],
    links: [],
    queue: [],
    ownCalls: [],
    facts: {
      ...{ startedAt: null, updatedAt: null, cwd: null, branch: null, version: null },
      ...{ title: null, tag: null, leaf: null, lastPrompt: null, leading: [], forkedFrom: null },
      turn: null,
    },
  };
}
