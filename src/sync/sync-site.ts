import type { ConversationLog } from "../conversation/conversation-log.ts";
import type { Ingestion } from "../conversation/ingestion.ts";
import type { Project } from "../conversation/project.ts";

/** What sync works with. */
export interface SyncSite {
  readonly log: ConversationLog;
  readonly ingestion: Ingestion;
  /** Returns the project of a folder, which may be gone. */
  readonly recognise: (cwd: string) => Promise<Project>;
  /** The name of this machine. */
  readonly machine: string;
}
