import type { NewEntry } from "../../conversation/entry.ts";
import type { SessionId } from "../../conversation/ids.ts";
import type { NewSession, Session } from "../../conversation/session.ts";
import { openWriter, type SessionWriter, type WriterOptions } from "../../conversation/session-writer.ts";
import type { Store } from "../../storage/open-store.ts";

/** The session that lines go to. */
export interface AppendTarget {
  readonly session: SessionId;
  /** When it last changed, or began. */
  readonly since: Date;
  /** Returns its writer; a session that is new is made with this entry, so that there is never an empty one. */
  readonly writer: (first: NewEntry) => Promise<SessionWriter>;
  /** Gives the session back. One that is not given back is seen as interrupted as soon as this process has ended. */
  readonly release: () => Promise<void>;
}

/** Takes a session that is there, or is refused at once. */
export async function takeSession(
  store: Store,
  { id, updatedAt }: Session,
  lease: WriterOptions,
): Promise<AppendTarget> {
  const writer = await openWriter(store, id, lease);
  return {
    session: id,
    since: updatedAt,
    writer: async () => writer,
    release: async () => writer[Symbol.asyncDispose](),
  };
}

/** Makes and takes a session when it has its first entry. */
export function beginSession(store: Store, start: NewSession, lease: WriterOptions): AppendTarget {
  let writer: SessionWriter | undefined;
  return {
    session: start.id,
    since: start.startedAt,
    writer: async (first) => {
      if (writer === undefined) {
        await store.log.open(start, [first]);
        writer = await openWriter(store, start.id, lease);
      }
      return writer;
    },
    release: async () => writer?.[Symbol.asyncDispose](),
  };
}
