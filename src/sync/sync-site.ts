import type { LiveSessions } from "../clients/claude-code/live-sessions.ts";
import type { ConversationLog } from "../conversation/conversation-log.ts";
import type { Inbox } from "../conversation/inbox.ts";
import type { Ingestion } from "../conversation/ingestion.ts";
import type { Project } from "../conversation/project.ts";

/** What sync works with. */
export interface SyncSite {
  readonly log: ConversationLog;
  readonly ingestion: Ingestion;
  readonly inbox: Inbox;
  /** Which sessions are in use. */
  readonly live: LiveSessions;
  /** Returns the project of a folder, which may be gone. */
  readonly recognise: (cwd: string) => Promise<Project>;
  /** The name of this machine. */
  readonly machine: string;
  readonly now: Date;
}
