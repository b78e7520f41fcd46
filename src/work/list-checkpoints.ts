import type { WorkDesk } from "./work-desk.ts";
import { type Checkpoint, WorkRecord } from "./work-record.ts";

/** Returns the checkpoints of a folder that the log has kept of late, the newest first. Changes nothing. */
export function listCheckpoints({ site }: WorkDesk): Promise<readonly Checkpoint[]> {
  return new WorkRecord(site).list();
}
