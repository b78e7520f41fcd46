import type { SessionId } from "../sessions/ids.ts";
import type { ClientName } from "../sessions/session.ts";

/** What became of a session that was not the same in both stores. */
export interface Exchanged {
  readonly type: ExchangeOutcome;
  /** The id that it has where it was brought. */
  readonly session: SessionId;
  /** The id by which the stores know it of each other. */
  readonly knownAs: SessionId;
  /** How many entries were brought. */
  readonly entries: number;
  /** The client that wrote it: the records of work and handover are sessions here, which no list shows. */
  readonly client: ClientName;
  /** The id that it had where it was brought, if that is another one. */
  readonly was?: SessionId;
  /** Why it could not be brought. */
  readonly reason?: string;
  /** When it was deleted in one store, where it stays in the other because it was begun or continued there. */
  readonly deletedAt?: Date;
}

export type ExchangeOutcome =
  /** It is new there. */
  | "added"
  /** It went on there. */
  | "extended"
  /** Words about it were brought, a title, tags or how it stopped, and nothing else is new. */
  | "described"
  /** It was known there by nothing more than such words, and goes on there under another id. */
  | "continued"
  /** It went another way than what is there, and is a fork of that now. */
  | "parted"
  /** Another session has its id there, so that it has another one. */
  | "renamed"
  /** It had been deleted there, and went on here since: it is there again. */
  | "returned"
  /** It was deleted here, and now is there too. */
  | "deleted"
  /** It was deleted here, but went on there since, and stays. */
  | "kept"
  /** It was deleted here, and stays there, where it was begun or continued. */
  | "spared"
  /** It was deleted there, and is still here. */
  | "gone"
  /** It was deleted there, and stays here, where it was begun or continued: it is not brought there again. */
  | "withheld"
  /** A process writes it there, so that nothing was added. */
  | "held"
  /** It could not be brought. */
  | "failed";

/** What was brought from one store to another. */
export interface ExchangeReport {
  /** How many sessions were compared; one that was deleted counts only where that had to be brought. */
  readonly sessions: number;
  /** How many records of work and handover were compared. */
  readonly records: number;
  /** How many entries were brought. */
  readonly entries: number;
  /** How many bodies were replaced because they had been scrubbed elsewhere. */
  readonly scrubbed: number;
  /** Those that were not the same in both, in the order in which they were brought. */
  readonly changes: readonly Exchanged[];
}
