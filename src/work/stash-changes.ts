import { stashIn } from "../git/sync-git.ts";
import { repositoryOf, type WorkDesk } from "./work-desk.ts";

/** Stashes what git tracks, and returns what git says of it. */
export async function stashChanges(desk: WorkDesk): Promise<string> {
  const repository = await repositoryOf(desk);
  return repository === undefined ? "This is no repository." : stashIn(repository);
}
