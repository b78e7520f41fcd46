import type { Change } from "../find-tasks.ts";
import { changeStatuses } from "../work-state.ts";

/**
 * Returns how far a change of OpenSpec has come. A blocker does not matter to an archived one. A status that another program
 * wrote, such as APPROVED, stays until the change is blocked, deployed or archived.
 */
export function changeStatusOf(
  { isArchived, tasks }: Pick<Change, "isArchived" | "tasks">,
  { isBlocked, before = null }: { readonly isBlocked: boolean; readonly before?: string | null },
): string {
  if (isArchived) return "ARCHIVED";
  if (isBlocked) return "BLOCKED";
  if (tasks !== undefined && tasks.completed.length > 0 && tasks.pending.length === 0) return "DEPLOYED";
  if (before !== null && !changeStatuses.some((known) => known === before)) return before;
  return tasks === undefined || tasks.completed.length === 0 ? "DRAFT" : "IN_PROGRESS";
}
