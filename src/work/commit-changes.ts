import { commitWork, type SavedWork } from "./commit-work.ts";
import { toMessage } from "./save.ts";
import { repositoryOf, type WorkDesk } from "./work-desk.ts";

/** Commits the changes where they are, and leaves the state of the work as it is; undefined outside git. */
export async function commitChanges(desk: WorkDesk): Promise<SavedWork | undefined> {
  const repository = await repositoryOf(desk);
  const branch = desk.git?.branch ?? null;
  return repository && commitWork(repository, toMessage(`changes on ${branch ?? "a detached HEAD"}`));
}
