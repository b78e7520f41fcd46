import type { Change } from "../read-change.ts";
import type { ChangeStatus } from "../work-state.ts";

/** Returns how far a change of OpenSpec has come. What stops an archived one does not matter any more. */
export function changeStatusOf(
  { isArchived, tasks }: Pick<Change, "isArchived" | "tasks">,
  { isBlocked }: { readonly isBlocked: boolean },
): ChangeStatus {
  if (isArchived) return "ARCHIVED";
  if (isBlocked) return "BLOCKED";
  if (tasks === undefined || tasks.completed.length === 0) return "DRAFT";
  return tasks.pending.length === 0 ? "DEPLOYED" : "IN_PROGRESS";
}
