import { type AppError, usageError } from "../lib/app-error.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";

/** A session that its client knows. */
export interface Native {
  readonly session: Session;
  /** The id by which the client knows it. */
  readonly id: string;
  /** Whether it has the messages of the session that was asked for, and no others. */
  readonly isWhole: boolean;
}

/** Returns the session itself if its client knows it, or the one that it was forked from here; throws where there is none. */
export async function findNative(log: ConversationLog, session: Session): Promise<Native> {
  requireClaudeCode(session);
  const forks = new Set<SessionId>();
  let origin: Session | undefined = session;
  while (origin !== undefined && origin.clientSessionId === null) {
    forks.add(origin.id);
    origin = await findOrigin(log, origin);
  }
  if (origin === undefined || origin.clientSessionId === null) {
    throw notResumable(`Session ${session.id} was forked here, and Claude Code does not know it.`);
  }
  const isSame = origin.messages === session.messages && !(await hasMessages(log, session.id, forks));
  return { session: origin, id: origin.clientSessionId, isWhole: isSame };
}

async function findOrigin(log: ConversationLog, { forkedFrom }: Session): Promise<Session | undefined> {
  return forkedFrom === null ? undefined : (await log.list({ id: forkedFrom.session })).sessions[0];
}

/** Tells whether messages of a session were recorded in some of the sessions that it is made of. */
async function hasMessages(
  log: ConversationLog,
  session: SessionId,
  recordedIn: ReadonlySet<SessionId>,
): Promise<boolean> {
  if (recordedIn.size === 0) return false;
  for await (const entry of log.read(session))
    if (entry.kind === "message" && recordedIn.has(entry.session)) return true;
  return false;
}

function requireClaudeCode({ id, client }: Session): void {
  if (client === "claude-code") return;
  if (client !== "carryon-append") {
    throw notResumable(`Carryon cannot start ${client} yet, in which session ${id} was.`);
  }
  throw notResumable(
    `Session ${id} was recorded with \`carryon append\`, so that there is no client to start.`,
    `Go on recording with \`carryon append --session ${id}\``,
  );
}

function notResumable(message: string, hint = "List the sessions with `carryon sessions`."): AppError {
  return usageError("not-resumable", message, { hint });
}
