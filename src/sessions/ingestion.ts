import type { NewEntry } from "./entry.ts";
import type { EntryId, SessionId } from "./ids.ts";
import type { ClientName, NewSession } from "./session.ts";

/** A file in which a client keeps a session, or a part of one. */
export interface Source {
  readonly client: ClientName;
  readonly path: string;
}

/** Returns the source whose bookmark names the session that a client was given under a native id. */
export function nativeSource(client: ClientName, id: string): Source {
  return { client, path: `${nativePrefix}${id}` };
}

/** What the paths of these sources begin with. */
export const nativePrefix = "native/";

/** How far a source was read. */
export interface Bookmark {
  readonly session: SessionId;
  /** Grows with each batch that is stored; the next one must go on from it. */
  readonly revision: number;
  /** Where reading goes on, in the reader's own words. */
  readonly position: string;
  /** Returns what else the reader goes on from, in its own words; up to a megabyte, so it is asked for on its own. */
  state(): Promise<string>;
}

/** The next entries of a source, and where reading goes on after them. */
export interface IngestBatch {
  readonly source: Source;
  readonly session: SessionId;
  /** Made with the batch unless it is there; another one with its id is a conflict. */
  readonly start?: NewSession | undefined;
  /** The revision that it goes on from; 0 for the first batch of a source. */
  readonly after: number;
  readonly entries: readonly NewEntry[];
  readonly position: string;
  /** Holds no text that was not redacted: it is stored as it is. */
  readonly state: string;
  /** The first entry of the source, by which forks are known. */
  readonly leading: EntryId | null;
  /** Its source stays: after a power cut it can be read again, so that it is on disk only after `flush`. */
  readonly isRepeatable?: true;
  /** The items of the inbox that the entries were made of; they are forgotten when the entries are stored. */
  readonly items?: readonly number[];
}

export type Ingested =
  | {
      readonly type: "stored";
      readonly revision: number;
      /** Entries that are new. */
      readonly added: number;
      /** Entries that were there before with the same content. */
      readonly known: number;
      /** Entries that are stored with other content, which stays: the first version wins. */
      readonly differing: readonly EntryId[];
    }
  /** Somebody else has read the source on since; nothing was stored. */
  | { readonly type: "overtaken" }
  /** There is no such session, or it was deleted; nothing was stored. */
  | { readonly type: "gone" };

/**
 * Takes what clients wrote into the log, each row once, whoever reads it how often.
 *
 * Every engine passes `test/contract/ingesting.ts`.
 */
export interface Ingestion {
  /** Returns how far a source was read; undefined when it never was, or its session was deleted. */
  find(source: Source): Promise<Bookmark | undefined>;

  /**
   * Stores entries and how far the source was read, both or neither.
   *
   * Returns after they are on disk, unless the batch is repeatable.
   */
  store(batch: IngestBatch): Promise<Ingested>;

  /** Returns after everything that was stored is on disk. */
  flush(): Promise<void>;

  /** Returns what readers go on from in all sources of a session: see `Bookmark.state`. */
  states(session: SessionId): Promise<readonly string[]>;

  /**
   * Returns the sessions of a client that may share an entry, which was made at a moment, with another session: those that
   * have it themselves, and those with a source that begins with it. In the order of their making.
   */
  sharing(client: ClientName, entry: EntryId, at: Date): Promise<readonly SessionId[]>;

  /**
   * Returns which session each native id stands for that Carryon gave a client: see `nativeSource`. A deleted session keeps
   * its native ids, so that what the client adds to it is not recorded as another session.
   */
  natives(client: ClientName): Promise<ReadonlyMap<string, SessionId>>;

  /** Returns when sessions of a client were deleted that had been in the store. */
  deletions(client: ClientName): Promise<ReadonlyMap<SessionId, Date>>;

  /** Returns which of these entries a session has, those that it shares included, in their order there. */
  held(session: SessionId, entries: readonly EntryId[]): Promise<readonly EntryId[]>;

  /** Returns a value without the secrets in its strings, as it may be stored. */
  redact<Value>(value: Value): Promise<Value>;
}

/** Returns the session that a client means by an id of its own: another one where Carryon gave it that id. */
export async function findGiven(
  ingestion: Pick<Ingestion, "find">,
  client: ClientName,
  id: string,
): Promise<string> {
  return (await ingestion.find(nativeSource(client, id)))?.session ?? id;
}
