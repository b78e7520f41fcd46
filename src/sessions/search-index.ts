import type { EntryId, SessionId, Strand } from "./ids.ts";
import type { ProjectId } from "./project.ts";
import type { ClientName } from "./session.ts";

/** Whether every word must stand in an entry, or any counts and those that fit best come first. */
export type SearchMatching = "exact" | "ranked";

/** What may be wanted first: what was said last, or what fits best and then what was said last. */
export const searchOrders = ["newest", "relevance"] as const;
export type SearchOrder = (typeof searchOrders)[number];

/** More hits are not on one page; the next begins where it ends. */
export const largestPage = 1000;

/** What is said of entries elsewhere, such as a line of a digest: in its first text, the others stand around it. */
export interface DigestLine {
  readonly session: SessionId;
  /** The entries that it comes from. */
  readonly seqs: readonly number[];
  readonly texts: readonly string[];
}

/** What is looked for, and where. */
export interface SearchRequest {
  /**
   * Words; "phrases", whose words follow one another; prefix* of at least three characters; and the filters client:
   * project: branch: role: tool: session: before: after:. All else is plain text.
   */
  readonly query: string;
  /**
   * `exact` unless given: every word must stand in an entry as it is.
   *
   * `ranked`: any form of any word counts, but phrases, prefixes and `+word` must stand in it, and `-word` must not.
   */
  readonly match?: SearchMatching | undefined;
  /** Only this project, unless the query names one. */
  readonly project?: ProjectId;
  /** Only this project, whatever the query names: nothing of another one is told. */
  readonly confinedTo?: ProjectId;
  /** Only what this session shows, what it shares with its origin included. */
  readonly session?: SessionId;
  /** `newest` unless given, and what fits best for a ranked search; there `newest` leaves out what fits badly. */
  readonly order?: SearchOrder | undefined;
  /** At most so many, 20 unless given, and never more than `largestPage`. */
  readonly limit?: number;
  /** Where the page before ended: its `next`. */
  readonly cursor?: string;
  /** What `after:7d` counts from; the clock's time unless given. */
  readonly now?: Date;
  /** Returns what is said elsewhere of the entries of sessions; a ranked search finds them by that too. */
  readonly linesOf?: ((sessions: readonly SessionId[]) => Promise<readonly DigestLine[]>) | undefined;
}

/** A piece of a snippet; those that matched are told apart. */
export interface SnippetPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** What a found thing is: who said it, or else what kind of entry it is. Titles are found too. */
export type HitKind = "user" | "assistant" | "tool" | "summary" | "title" | "event" | "round" | "other";

/** An entry, or the title that a session began with, in which everything stands that was looked for; of a ranked search, something. */
export interface SearchHit {
  /** Where it was recorded; if that session was deleted, a fork that still has it. */
  readonly session: SessionId;
  readonly title: string;
  readonly project: ProjectId;
  readonly projectName: string;
  readonly client: ClientName;
  readonly branch: string | null;
  /** 0 for the title that a session began with. */
  readonly seq: number;
  readonly entry: EntryId | null;
  readonly kind: HitKind;
  readonly strand: Strand;
  readonly at: Date;
  readonly snippet: readonly SnippetPart[];
  /** How well it fits, beside other hits of the same search; 0 where time alone orders them. */
  readonly score: number;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  readonly next: string | null;
  /** The words that were looked for, as they are compared; empty when the query has none. */
  readonly terms: readonly string[];
  /** Entries that were read one by one, because the index could not follow the log: see `SearchIndex.search`. */
  readonly scanned: number;
  /** Those of them in which nothing could be looked for. */
  readonly leftOut: readonly LeftOut[];
}

/** An entry, or with number 0 a title, in which nothing can be found: no words could be made of it, or an engine refused them. */
export interface LeftOut {
  readonly session: SessionId;
  readonly seq: number;
}

/** How large the index is and how far behind the log. */
export interface IndexReport {
  readonly bytes: number;
  /** Entries in the index; a long one counts several times. */
  readonly documents: number;
  /** Entries that the log has and the index has not, yet. */
  readonly behind: number;
  /** Entries that could not be indexed, at most 100 of them. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Finds entries by what they say.
 *
 * Every engine passes `test/contract/search-index.ts` and gives the same set of hits.
 */
export interface SearchIndex {
  /** Takes in what is new in the log, in short transactions; several may do so at once. Returns how many entries. */
  catchUp(onProgress?: (done: number, total: number) => void): Promise<number>;

  /**
   * Returns one page of hits. Nothing that is in the log is missing: it catches up first and, in a store that cannot be
   * written, reads what the index has not.
   */
  search(request: SearchRequest): Promise<SearchPage>;

  /** Makes the index anew from the log. Returns how many entries it has taken in. */
  rebuild(onProgress?: (done: number, total: number) => void): Promise<number>;

  describe(): Promise<IndexReport>;
}

/** Says that search does not find an entry, and how it is read. */
export function describeLeftOut({ session, seq }: LeftOut): string {
  const what = seq === 0 ? `the title of ${session}` : `entry ${seq} of ${session}`;
  return `Search cannot find ${what}: its text cannot be indexed. \`carryon show ${session} --from ${seq}\` shows it.`;
}
