import type { Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { syncForeignObjects, syncNames } from "../git/sync-git.ts";
import { repositoryOf, type WorkDesk } from "./work-desk.ts";

/** Stashes what git tracks, and returns what git says of it. */
export async function stashChanges(desk: WorkDesk): Promise<string> {
  const repository = await repositoryOf(desk);
  return repository === undefined ? "This is no repository." : stashIn(repository);
}

/** Stashes what git tracks. Git takes it out of the work tree, so that it must be on disk when this returns. */
export async function stashIn(repository: Repository): Promise<string> {
  const begun = new Date();
  const { stdout, stderr } = await runGit(repository.run, ["stash", "push", "--message", "carryon load"]);
  await syncForeignObjects(repository, begun);
  await syncNames(repository, ["refs/stash", "logs/refs/stash"]);
  return `${Buffer.from(stdout, "latin1").toString()}${stderr}`.trim();
}
