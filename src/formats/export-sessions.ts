import type { ConversationLog } from "../sessions/conversation-log.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import type { Replica, ReplicaSession } from "../sessions/replica.ts";
import type { Session } from "../sessions/session.ts";
import type { Stretch } from "./render-sexp-session.ts";

/** Every form in which sessions can be exported; all but md and html can be imported again. */
export const exportFormats = ["carryon", "json", "md", "html", "claude-master", "sexp"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Formats whose file holds one session. */
export const singleFormats: ReadonlySet<ExportFormat> = new Set(["claude-master", "sexp"]);

export interface ExportRequest {
  readonly format: ExportFormat;
  readonly sessions: readonly Session[];
  /** The machine that the export comes from. */
  readonly machine: string;
  readonly now: Date;
  /** How much of a session the format sexp takes: what came after its last reset, unless told. */
  readonly stretch?: Stretch;
  /** Is told of each entry of the format carryon that is too long to be imported again. */
  readonly onTooLong?: (session: string, seq: number) => void;
}

/** Where sessions are exported from; a store has both. */
export interface ExportStore {
  readonly log: ConversationLog;
  readonly replica: Replica;
}

/** Renders sessions piece by piece. Each format is loaded when it is asked for. */
export async function* exportSessions(
  { log, replica }: ExportStore,
  { format, sessions, machine, now, stretch = "after-reset", onTooLong }: ExportRequest,
): AsyncGenerator<string> {
  switch (format) {
    case "carryon":
    case "json": {
      const { renderLines, renderDocument } = await import("./carryon/render-export.ts");
      const found = await findReplicas(replica, sessions);
      const stamp = { machine, exportedAt: now, onTooLong };
      yield* (format === "json" ? renderDocument : renderLines)(replica, found, stamp);
      return;
    }
    case "md":
      yield* (await import("./markdown/render-markdown.ts")).renderMarkdown(log, sessions);
      return;
    case "html":
      yield* (await import("./html/render-html.ts")).renderHtml(log, sessions, now);
      return;
    case "claude-master": {
      const { toSessionState } = await import("./render-claude-master.ts");
      for (const session of sessions)
        yield `${JSON.stringify(toSessionState(session, await Array.fromAsync(log.read(session.id))), null, 2)}\n`;
      return;
    }
    case "sexp": {
      const { renderReplSession } = await import("./render-sexp-session.ts");
      for (const session of sessions)
        yield renderReplSession(session, await Array.fromAsync(log.read(session.id)), stretch);
      return;
    }
  }
}

async function findReplicas(
  replica: Replica,
  sessions: readonly Session[],
): Promise<readonly ReplicaSession[]> {
  const found: ReplicaSession[] = [];
  for (const { id } of inOrderOfForks(sessions)) {
    const known = await replica.find(id);
    if (known?.type !== "there") throw new SessionNotFound(id);
    found.push(known.session);
  }
  return found;
}

/** Puts each origin before its forks, so that an import can share what they share. */
function inOrderOfForks(sessions: readonly Session[]): readonly Session[] {
  const byId = new Map<string, Session>(sessions.map((session) => [session.id, session]));
  const ordered = new Set<Session>();
  const add = (session: Session, seen: readonly string[]) => {
    const origin = byId.get(session.forkedFrom?.session ?? "");
    if (origin !== undefined && !seen.includes(origin.id)) add(origin, [...seen, origin.id]);
    ordered.add(session);
  };
  for (const session of sessions) add(session, [session.id]);
  return [...ordered];
}
