import type { EntryId, SessionId, Strand } from "./ids.ts";
import type { Project } from "./project.ts";
import type { Client, ForkPoint } from "./session.ts";

/** An entry as it goes from store to store: what it says, and the hash that its place in the chain is proved by. */
export interface LinkedEntry {
  readonly seq: number;
  readonly id: EntryId;
  readonly parent: EntryId | null;
  readonly strand: Strand;
  /** As it is stored: that of a newer writer keeps its name. */
  readonly kind: string;
  readonly at: Date;
  readonly hash: string;
  /** What it says, as JSON text. */
  readonly body: string;
  /** The SHA-256 of what it said before a scrub, which its hash still covers; null where it was never scrubbed. */
  readonly scrubbedFrom: string | null;
}

/** A fork point with its place in the chain, by which it is found where the entry is not known yet. */
export interface PlacedForkPoint extends ForkPoint {
  readonly seq: number;
  /** The hash of the entry. */
  readonly hash: string;
}

/** What is known of a session besides its entries; title, tags and status that entries tell are not repeated. */
export interface ReplicaSession {
  readonly id: SessionId;
  readonly project: Project;
  readonly client: Client;
  readonly clientSessionId: string | null;
  /** The title that it began with; null where it had none, or where an entry has given it another since. */
  readonly title: string | null;
  readonly cwd: string;
  readonly branch: string | null;
  readonly machine: string;
  readonly startedAt: Date;
  readonly forkedFrom: PlacedForkPoint | null;
  readonly entries: number;
  /** The hash of the last entry; null before the first. */
  readonly head: string | null;
}

/** A session that is here, or was. */
export type Known =
  | { readonly type: "there"; readonly session: ReplicaSession }
  | { readonly type: "deleted"; readonly at: Date };

/**
 * Gives sessions to other stores and takes theirs, with their hashes: nothing is computed anew.
 *
 * Every engine passes `test/contract/replicating.ts`.
 */
export interface Replica {
  /** Returns what is known of a session; undefined where it never was. */
  find(session: SessionId): Promise<Known | undefined>;

  /** Streams a stretch of a session in batches, those shared with its origin included; all of it unless told. */
  read(
    session: SessionId,
    range?: { readonly from?: number; readonly to?: number },
  ): AsyncIterable<readonly LinkedEntry[]>;

  /** Lets sessions in, all or none: what `work` threw leaves nothing behind. It may be called again when the store asks. */
  receive<Result>(work: (intake: Intake) => Promise<Result>): Promise<Result>;
}

/** The way into a store, as long as one `receive` lasts. */
export interface Intake extends Pick<Replica, "find"> {
  /** Returns the hashes of a stretch of a session that is there. */
  hashes(session: SessionId, from: number, to: number): Promise<readonly string[]>;

  /**
   * Makes a session; with a base, one that shares the first entries of another, which must be there.
   *
   * A fork without a base holds what it shares itself: such entries count, but what they say of a title, tags or the
   * status is about the origin.
   */
  begin(session: ReplicaSession, base: SharedBase | null): Promise<void>;

  /**
   * Adds entries where a session ends. Each hash must follow from the one before it, or it is `BrokenStretch`.
   *
   * Secrets are taken out as a scrub does: hashes stay, and `finish` notes it.
   */
  add(session: SessionId, entries: readonly LinkedEntry[]): Promise<void>;

  /** Ends the adding, and notes in the session which bodies are not what its hashes cover; returns how many it noted. */
  finish(session: SessionId, at: Date): Promise<number>;
}

/** The session whose first entries another one shares, and how many. */
export interface SharedBase {
  readonly session: SessionId;
  readonly seq: number;
}
