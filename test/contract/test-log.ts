import type { ConversationLog } from "../../src/sessions/conversation-log.ts";
import type { DigestStore } from "../../src/sessions/digest-store.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import type { Ingestion } from "../../src/sessions/ingestion.ts";
import type { Leases } from "../../src/sessions/lease.ts";
import type { ProjectId, Projects } from "../../src/sessions/project.ts";
import type { Replica } from "../../src/sessions/replica.ts";
import type { Scrubber } from "../../src/sessions/scrubber.ts";
import type { SearchIndex } from "../../src/sessions/search-index.ts";
import { newSession } from "../support/entries.ts";

/** A log with one project in it, and a way to open it again. */
export interface TestLog extends AsyncDisposable {
  readonly log: ConversationLog;
  readonly leases: Leases;
  readonly projects: Projects;
  readonly scrubber: Scrubber;
  readonly search: SearchIndex;
  readonly digests: DigestStore;
  readonly ingestion: Ingestion;
  readonly replica: Replica;
  readonly project: ProjectId;
  reopen(): Promise<void>;
}

export const one = parseSessionId("one");
export const two = parseSessionId("two");

/** Opens a log that has the session `one`. */
export async function openWithSession(open: () => Promise<TestLog>): Promise<TestLog> {
  const test = await open();
  await test.log.open(newSession("one", test.project));
  return test;
}
