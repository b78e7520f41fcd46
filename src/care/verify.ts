import { type ConversationLog, listPages, type Verification } from "../sessions/conversation-log.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import type { SessionId } from "../sessions/ids.ts";
import { recordClient, type Session } from "../sessions/session.ts";
import { findHere, readHere, storeOf } from "../workspace/open-here.ts";
import type { Caller } from "../workspace/workspace.ts";

type Verifiable = Pick<Session, "id" | "entries">;

/** Hears how many entries of a session are verified. */
export type VerifyProgress = (session: Verifiable, entries: number) => void;

/** Verifies one session, or all sessions of all projects, and yields each as soon as it is verified. */
export async function* verify(
  context: Caller,
  id: string | undefined,
  onProgress: VerifyProgress,
): AsyncGenerator<Verification> {
  if (id !== undefined) {
    yield* await readHere(context, async (here) => {
      const session = await findHere(context, here, id);
      return Array.fromAsync(verifyEach(here.store.log, [session], onProgress));
    });
    return;
  }
  const store = await (await storeOf(context)).openForReading();
  try {
    yield* verifyEach(store.log, listEverything(store.log), onProgress);
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

/** Verifies sessions one after another; one that was deleted since it was listed is left out. */
export async function* verifyEach(
  log: ConversationLog,
  sessions: AsyncIterable<Verifiable> | Iterable<Verifiable>,
  onProgress: VerifyProgress,
): AsyncGenerator<Verification> {
  for await (const session of sessions) {
    try {
      yield await log.verify(session.id, (entries) => onProgress(session, entries));
    } catch (error) {
      if (!(error instanceof SessionNotFound)) throw error;
    }
  }
}

/** Yields what can be verified: a session whose record is damaged is one of them. */
async function* listEverything(log: ConversationLog): AsyncGenerator<Verifiable> {
  for (const query of [{}, { client: recordClient }]) {
    for await (const { sessions, damaged } of listPages(log, query)) {
      yield* sessions;
      for (const id of damaged) yield { id: id as SessionId, entries: 0 };
    }
  }
}
