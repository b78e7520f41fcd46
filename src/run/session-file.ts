import { stat } from "node:fs/promises";
import { badSessionFile, requireFilePlace } from "../chat/require-file-place.ts";
import type { FileTaken } from "../chat/session-file.ts";
import { BadImport } from "../formats/bad-import.ts";
import { unlessGone } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import type { Clock } from "../lib/clock.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { Entry } from "../sessions/entry.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import type { WritableProject } from "../workspace/open-project.ts";

/** Returns what writes the state of a session to a file that only its owner may read; nothing where no file is wanted. */
export function sessionFileWriter(
  log: ConversationLog,
  session: SessionId,
  path: string | undefined,
): () => Promise<void> {
  if (path === undefined) return async () => undefined;
  return async () => {
    const text = await renderState(log, session);
    if (text !== undefined) await writeFileAtomically(path, text, { isPrivate: true });
  };
}

/** Returns the state of a session as a file has it; undefined where there is no such session. */
async function renderState(log: ConversationLog, session: SessionId): Promise<string | undefined> {
  const [found] = (await log.list({ id: session })).sessions;
  if (found === undefined) return undefined;
  return renderEntries(found, await Array.fromAsync(log.read(session)));
}

/** Returns the state of a session as a file has it, from its entries. */
export async function renderEntries(
  session: Pick<Session, "id" | "startedAt" | "updatedAt" | "cwd">,
  entries: readonly Entry[],
): Promise<string> {
  const { toSessionState } = await import("../formats/render-claude-master.ts");
  return `${JSON.stringify(toSessionState(session, entries), null, 2)}\n`;
}

/** Makes sure that a new session can be written to a file, and takes the place of no other. */
export async function requireNewFile(home: string, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  await requireFilePlace(home, path);
  if ((await unlessGone(stat(path))) === undefined) return;
  throw badSessionFile(
    `${path} is there already, and a run begins anew.`,
    "Go on with the session in it with `--resume --session-file`, or choose another file.",
  );
}

/** Where a file is taken in, and when. */
interface FilePlace {
  readonly cwd: string;
  readonly machine: string;
  readonly clock: Clock;
  readonly path: string | undefined;
  /** What the user says which session is meant; the one in the file unless given. */
  readonly session: string | undefined;
}

/**
 * Takes the session of a file into the store; undefined where there is none. What the store has more of it stays.
 *
 * A file that is not there can be begun only for a session that is named: a mistyped path must not lead to another run.
 */
export async function takeSessionFile(
  { home, store, project, branch }: WritableProject,
  { path, session, ...place }: FilePlace,
): Promise<FileTaken | undefined> {
  if (path === undefined) return undefined;
  await requireFilePlace(home, path);
  const { readSessionFile } = await import("../chat/session-file.ts");
  const target = { ...place, store, project: project.id, place: async () => ({ branch, commit: null }) };
  const taken = await readSessionFile(target, { path }).catch((error: unknown) => {
    throw error instanceof BadImport
      ? badSessionFile(
          `${path} is no session file, or it is damaged. ${error.message}`,
          "Name the file that a run has written, or the session with `--session`.",
        )
      : error;
  });
  if (taken !== undefined || session !== undefined) return taken;
  throw badSessionFile(
    `There is no session file ${path}.`,
    "Name the file that a run has written, or the session with `--session`.",
  );
}

/** Refuses to write a session over another one. */
export function requireSame(taken: FileTaken | undefined, session: SessionId): void {
  if (taken === undefined || taken.session === session) return;
  throw badSessionFile(
    `The session file holds session ${taken.session}, and another one was named.`,
    "Name one of them.",
  );
}

/** Tells whether the session of a file became another one here: the file is left to the session that it holds. */
export function hasParted(taken: FileTaken | undefined): boolean {
  return taken !== undefined && taken.session !== taken.from;
}
