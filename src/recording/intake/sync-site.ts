import type { LiveSessions } from "../../clients/claude-code/live-sessions.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { Inbox } from "../../sessions/inbox.ts";
import type { Ingestion } from "../../sessions/ingestion.ts";
import type { Project } from "../../sessions/project.ts";
import type { Privacy } from "../privacy.ts";
import type { GivenSessions } from "./given-sessions.ts";

/** What sync works with. */
export interface SyncSite {
  readonly log: ConversationLog;
  readonly ingestion: Ingestion;
  readonly inbox: Inbox;
  /** The sessions that Carryon gave the client, by the ids that they have there. */
  readonly given: GivenSessions;
  /** Which sessions are in use. */
  readonly live: LiveSessions;
  /** Returns the project of a folder, which may be gone. */
  readonly recognise: (cwd: string) => Promise<Project>;
  /** What the user does not want to be recorded. */
  readonly privacy: Privacy;
  /** The name of this machine. */
  readonly machine: string;
  readonly now: Date;
}
