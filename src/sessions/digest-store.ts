import type { SessionId } from "./ids.ts";

/** The digest of a session up to one of its entries. It is derived from the log: it can be thrown away and made anew. */
export interface KeptDigest {
  readonly session: SessionId;
  /** The version of the rules that made it. */
  readonly version: number;
  /** The last entry that it covers. */
  readonly seq: number;
  /** JSON text. */
  readonly body: string;
}

export interface KeptDigests {
  readonly digests: readonly KeptDigest[];
  /** Grows when text is taken out of the store. A digest of entries that were read before that may hold the text. */
  readonly asOf: number;
}

/**
 * Keeps the digests of sessions, at most one of each.
 *
 * Whatever takes text out of the store (scrub, delete, a scrub that is pulled) forgets the digests of all sessions that
 * have the text, in the same transaction. Every engine passes `test/contract/digest-store.ts`.
 */
export interface DigestStore {
  /** Returns the digests that are kept of some sessions. */
  read(sessions: readonly SessionId[]): Promise<KeptDigests>;

  /**
   * Keeps digests that were made after a read; `asOf` is that read's.
   *
   * Keeps none of them if text was taken out of the store since then, or if the store cannot be written. A digest is
   * ignored when its session is deleted, or when the kept one has a higher version, or the same and more entries.
   * It survives the end of the process, but not always a power cut.
   */
  keep(digests: readonly KeptDigest[], asOf: number): Promise<void>;

  /** Forgets all digests. */
  clear(): Promise<void>;
}
