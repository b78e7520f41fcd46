import type { TextPattern } from "../redaction/text-pattern.ts";
import type { SessionId } from "./ids.ts";

/** What describes a session besides its entries, and may hold what is looked for. */
export type DescribedIn = "title" | "opening" | "folder" | "branch" | "tags";

/** A session in which a pattern was found. */
export interface FoundSession {
  readonly session: SessionId;
  /** How many of its entries hold it, those shared with its origin included. */
  readonly entries: number;
  readonly describedIn: readonly DescribedIn[];
}

/** Where a pattern was found although it cannot be taken out there: names by which things are known. */
export interface FixedNames {
  /** Ids, which are made of titles in lower case, what clients call them, and machines; in any case. */
  readonly sessions: number;
  /** Ids, strands and kinds of entries. */
  readonly entries: number;
  /** Ids of projects: folders, remotes. */
  readonly projects: number;
}

/** Where a pattern was found. */
export interface ScrubFinding {
  /** How many entries hold it, each counted once although forks share it. */
  readonly entries: number;
  readonly sessions: readonly FoundSession[];
  /** How many names of projects hold it. */
  readonly projectNames: number;
  /** How many texts hold it that are no part of a session yet: what hooks saw, and notes of how far was read. */
  readonly pending: number;
  readonly fixed: FixedNames;
  /** How many sessions are described with it in another case, which stays unless the pattern ignores case. */
  readonly otherCase: number;
  /** How many bodies are damaged, so that nobody can say what they hold. */
  readonly unreadable: number;
  /** The ids of sessions whose record is damaged, so that nobody can say what describes them. */
  readonly damaged: readonly SessionId[];
  /** Whether what was replaced before may still be in the files of the store. */
  readonly isUnfinished: boolean;
}

/** What was replaced. */
export interface Scrubbing {
  readonly entries: number;
  readonly sessions: number;
  readonly projectNames: number;
  /** The ids of sessions whose record is damaged: it is out of their entries, but not noted, nor out of the record. */
  readonly damaged: readonly SessionId[];
  /** Whether the files of the store were rewritten; otherwise they may hold what was replaced until the next scrub. */
  readonly isWiped: boolean;
}

/** Takes texts out of what is stored. Every engine passes `test/contract/scrubbing.ts`. */
export interface Scrubber {
  /** Looks for a pattern in everything that is stored, of all projects, and changes nothing. Reads the whole store. */
  find(pattern: TextPattern, onProgress?: (bodies: number) => void): Promise<ScrubFinding>;

  /**
   * Replaces what a pattern finds by markers, and notes in each session which of its entries were changed.
   *
   * Goes on batch by batch, each on disk together with its notes; when it was interrupted, the next call finishes.
   * What others store meanwhile may be missed.
   */
  replace(pattern: TextPattern, at: Date, onProgress?: (bodies: number) => void): Promise<Scrubbing>;

  /**
   * Rewrites the files of the store if they may still hold what was replaced: by a scrub that could not finish, or one that
   * came from another store. Tells whether they hold nothing of it any more.
   */
  wipe(): Promise<boolean>;
}
