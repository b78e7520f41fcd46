import type { DocumentName } from "../../handover/document-record.ts";
import { findWaiting } from "../../handover/wait-for-trust.ts";
import { AppError } from "../../lib/app-error.ts";
import { chooseHandoverPlace } from "../../workspace/choose-handover-place.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * Returns the documents of others because of which nothing is drafted in a project until it is trusted. What cannot be
 * read, or is wrong with the configuration, is told elsewhere.
 */
export async function findWaitingHere(site: Workspace): Promise<readonly DocumentName[]> {
  const { home, root, git } = site;
  try {
    return await findWaiting(home, { site, place: await chooseHandoverPlace({ home, root }), git });
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** Says what waits for trust. */
export function describeWaiting(waiting: readonly DocumentName[]): string {
  return `${waiting.join(", ")}: written by others, so that nothing is drafted or noted here by itself.`;
}
