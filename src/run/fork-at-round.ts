import { type AppError, usageError } from "../lib/app-error.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import type { Entry, RoundContent } from "../sessions/entry.ts";
import type { EntryId, SessionId } from "../sessions/ids.ts";
import { isMergedId } from "../sessions/merged-id.ts";
import type { Session } from "../sessions/session.ts";
import { newSessionId, parseTitle } from "../sessions/session-events.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import { machineOf, type RunSurroundings } from "./open-run.ts";

/** Says that a run has not come to the end of a round. */
export function noSuchRound(session: SessionId, round: number): AppError {
  return usageError("no-such-round", `${session} has no finished round ${round}.`, {
    hint: `See its rounds with \`carryon show ${session}\`.`,
  });
}

/** The end of a round, as the log has it. */
export type RoundEnd = Entry & RoundContent;

/** Returns the end of a round of a run; throws where it has not come so far. */
export function requireRound(
  entries: readonly Entry[],
  { id }: Pick<Session, "id">,
  number: number,
): RoundEnd {
  const isIt = (entry: Entry): entry is RoundEnd =>
    entry.kind === "round" && entry.number === number && !isMergedId(entry.id);
  const end = entries.findLast(isIt);
  if (end === undefined) throw noSuchRound(id, number);
  return end;
}

/** What every session of a run begins with. */
export async function newSession(options: RunSurroundings & { readonly name?: string | undefined }) {
  const { clock = systemClock, random = systemRandom, name, cwd } = options;
  const title = name === undefined ? undefined : parseTitle(name);
  const startedAt = clock.now();
  const id = newSessionId({ random }, startedAt, title);
  return { id, ...(title !== undefined && { title }), cwd, startedAt, machine: await machineOf(options) };
}

/** Makes a session that shares another one up to an entry. */
export async function forkAt(
  { store, branch }: WritableProject,
  place: { readonly from: SessionId; readonly at: EntryId },
  options: Parameters<typeof newSession>[0],
): Promise<Session> {
  return store.log.fork({ ...(await newSession(options)), ...place, branch });
}
