/** One thing that a hook saw: what a client told it, redacted and capped in size. */
export interface InboxItem {
  /** Its place in the order; no two items ever have the same. */
  readonly key: number;
  readonly receivedAt: Date;
  readonly client: string;
  /** What the client calls the event. */
  readonly event: string;
  /** The client's own id of its session. */
  readonly session: string;
  readonly payload: unknown;
}

/** What hooks put down and nobody has dealt with yet. One process at a time may take from it. */
export interface Inbox {
  /** Returns the first items after a key, in order. They stay until they are forgotten. */
  take(limit: number, after?: number): Promise<readonly InboxItem[]>;
  /** Forgets items of which nothing is recorded; `Ingestion.store` forgets the others. */
  forget(keys: readonly number[]): Promise<void>;
}
