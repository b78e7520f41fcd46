import type { Entry, NewEntry } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { ClientName } from "../../sessions/session.ts";

/** Something that a format says of a session, and the entry that says it. */
export interface Told {
  readonly entry?: string;
  readonly text: string;
}

/** What a format that carries no hashes says of a session. */
export interface Talk {
  readonly id: SessionId;
  readonly client: ClientName;
  readonly title?: string;
  readonly startedAt: Date;
  /** What comes after them if it is new to a session: how far it has come, of which only the last is told. */
  readonly closing?: { readonly entry: NewEntry; readonly isNew: (entries: readonly Entry[]) => boolean };
  /** Returns what of a session the format may have told of, most of it first: all of it, unless given. */
  readonly alternatives?: (entries: readonly Entry[]) => readonly (readonly Entry[])[];
  /** In order; their ids follow from what they say and where, so that the same file makes the same entries. */
  readonly entries: readonly NewEntry[];
  /**
   * Returns what the format says of entries: lists, each in its own order.
   *
   * Two sessions are the same to the format as far as these lists are.
   */
  readonly tell: (entries: readonly (Entry | NewEntry)[]) => readonly (readonly Told[])[];
}
