import type { Receipt } from "./conversation-log.ts";
import type { NewEntry } from "./entry.ts";
import type { SessionId } from "./ids.ts";
import type { NewSession, Session } from "./session.ts";
import { openWriter, type SessionWriter, type WritableStore, type WriterOptions } from "./session-writer.ts";

/** The session that a program of ours writes. */
export interface SessionTarget {
  readonly session: SessionId;
  /** When it last changed, or began. */
  readonly since: Date;
  /** Appends like a writer; a session that is new is made with its first entries, so that there is never an empty one. */
  readonly append: (entries: readonly NewEntry[]) => Promise<readonly Receipt[]>;
  /** Gives the session back. One that is not given back is seen as interrupted as soon as this process has ended. */
  readonly release: () => Promise<void>;
}

/** Takes a session that is there, or is refused at once. */
export async function holdSession(
  store: WritableStore,
  { id, updatedAt }: Pick<Session, "id" | "updatedAt">,
  lease: WriterOptions,
): Promise<SessionTarget> {
  const writer = await openWriter(store, id, lease);
  return {
    session: id,
    since: updatedAt,
    append: writer.append,
    release: async () => writer[Symbol.asyncDispose](),
  };
}

/** Makes and takes a session when it has its first entries. */
export function beginSession(store: WritableStore, start: NewSession, lease: WriterOptions): SessionTarget {
  let writer: SessionWriter | undefined;
  return {
    session: start.id,
    since: start.startedAt,
    append: async (entries) => {
      if (writer !== undefined) return writer.append(entries);
      const { receipts } = await store.log.open(start, entries);
      writer = await openWriter(store, start.id, lease);
      return receipts;
    },
    release: async () => writer?.[Symbol.asyncDispose](),
  };
}
