import type { EntryId, SessionId, Strand } from "./ids.ts";
import type { Project, ProjectId } from "./project.ts";
import type { ClientName, ForkPoint } from "./session.ts";

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
  /** The id by which stores know it of each other, where it has another one here. */
  readonly knownAs?: SessionId;
  readonly project: Project;
  readonly client: ClientName;
  readonly clientSessionId: string | null;
  /** The title that it began with; null where it had none, or where an entry has given it another since. */
  readonly title: string | null;
  readonly cwd: string;
  readonly branch: string | null;
  readonly machine: string;
  readonly startedAt: Date;
  readonly forkedFrom: PlacedForkPoint | null;
  /** Of a copy that went its own way: where somebody forked the session that it is a copy of. */
  readonly copyForkedFrom?: PlacedForkPoint | null;
  readonly entries: number;
  /** The hash of the last entry; null before the first. */
  readonly head: string | null;
  /** Where it was begun, for a store that takes it in: elsewhere unless told, so that it goes when it is deleted there. */
  readonly begun?: "here";
}

/** A session that is here, or was. */
export type Known =
  | { readonly type: "there"; readonly session: ReplicaSession }
  | { readonly type: "deleted"; readonly at: Date };

/** Where a session stands, or stood when it was deleted: enough to tell what another store lacks of it. */
export interface ReplicaHead {
  readonly session: SessionId;
  /** The id by which stores know it of each other; one that went its own way has another one here. */
  readonly knownAs: SessionId;
  readonly client: ClientName;
  readonly startedAt: Date;
  readonly entries: number;
  readonly head: string | null;
  readonly deletedAt: Date | null;
  /** The machine that its newest entries came from; null where they were written in this store. */
  readonly machine: string | null;
  /** Whether it was begun or continued in this store, which then keeps it when it is deleted elsewhere. */
  readonly isOwn: boolean;
}

/** What is left of a deleted session. */
export interface Tombstone
  extends Pick<ReplicaHead, "knownAs" | "client" | "startedAt" | "entries" | "head"> {
  readonly project: Project;
  readonly machine: string;
  readonly deletedAt: Date;
  /** The beginnings of the hashes of its entries, one after another; empty where they are not known any more. */
  readonly hashes: Uint8Array;
}

/** Which sessions are asked for. */
export interface HeadQuery {
  readonly project?: ProjectId;
  /** By the ids that they have here. */
  readonly sessions?: readonly SessionId[];
}

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

  /** Streams where sessions stand, deleted ones included; what a fork shares comes before the fork. */
  heads(query?: HeadQuery): AsyncIterable<readonly ReplicaHead[]>;

  /** Returns where everything stands that other stores know by these ids. */
  relatives(knownAs: readonly SessionId[]): Promise<readonly ReplicaHead[]>;

  /**
   * Returns the hashes of a stretch of a session. Of a deleted one the beginnings, as far as they are known, and the
   * last whole: `isSameHash` compares them.
   */
  hashes(session: SessionId, from: number, to: number): Promise<readonly string[]>;

  /** Returns which of some entries a session has, whatever their place in it. */
  holds(session: SessionId, entries: readonly EntryId[]): Promise<ReadonlySet<EntryId>>;

  /** Returns what is left of a deleted session. */
  tombstone(session: SessionId): Promise<Tombstone | undefined>;

  /** Lets sessions in, all or none: what `work` threw leaves nothing behind. It may be called again when the store asks. */
  receive<Result>(work: (intake: Intake) => Promise<Result>): Promise<Result>;
}

/** The way into a store, as long as one `receive` lasts. */
export interface Intake extends Pick<Replica, "find" | "hashes"> {
  /** Returns where everything stands that other stores know by an id, and lets nobody add to it until the work is done. */
  relatives(knownAs: SessionId): Promise<readonly ReplicaHead[]>;

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
   * Secrets are taken out as a scrub does: hashes stay, and `finish` notes it. Returns how many of the entries do not say
   * what their hashes cover. With a machine it is remembered that they came from there.
   */
  add(session: SessionId, entries: readonly LinkedEntry[], machine?: string): Promise<number>;

  /**
   * Appends entries that only describe a session where it ends now, under hashes of their own; those that it has are
   * left out. Returns how many it got, and whether it has one of them with other content.
   */
  describe(session: SessionId, entries: readonly LinkedEntry[]): Promise<Described>;

  /** Puts what stands elsewhere in the place of bodies that were scrubbed there, also where other sessions share them; returns how many. */
  replace(session: SessionId, entries: readonly LinkedEntry[], at: Date): Promise<number>;

  /** Deletes sessions that still end where they did, and remembers what was deleted elsewhere. */
  bury(tombstone: Tombstone, sessions: readonly Pick<ReplicaHead, "session" | "head">[]): Promise<void>;

  /**
   * Deletes a session that still ends where it did, because another one here has everything of it: that one is as much
   * this store's own from then on. Nobody else is told: where it is known, it is not deleted by this.
   */
  giveUp(session: Pick<ReplicaHead, "session" | "head" | "isOwn">, heir: SessionId, at: Date): Promise<void>;

  /** Ends the adding, and notes in the session which bodies are not what its hashes cover; returns how many it noted. */
  finish(session: SessionId, at: Date): Promise<number>;
}

/** What a session got of what describes it elsewhere. */
export interface Described {
  readonly added: number;
  readonly hasConflict: boolean;
}

/** The session whose first entries another one shares, and how many. */
export interface SharedBase {
  readonly session: SessionId;
  readonly seq: number;
  /** Set where it is the same session, which went another way: then the shared entries describe both. */
  readonly isSameSession?: true;
}

/** How many characters of a hash stay of an entry of a deleted session. */
export const keptHashLength = 16;

/** Tells whether two hashes are the same, of which one may be known by its beginning only. */
export function isSameHash(one: string | null | undefined, other: string | null | undefined): boolean {
  if (one == null || other == null) return false;
  return one.startsWith(other) || other.startsWith(one);
}
