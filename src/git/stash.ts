import type { Repository } from "./repository.ts";
import { runGit } from "./run/run-git.ts";
import { syncForeignObjects, syncNames } from "./sync-git.ts";

/** Stashes what git tracks. Git takes it out of the work tree, so that it must be on disk when this returns. */
export async function stashIn(repository: Repository): Promise<string> {
  const begun = new Date();
  const { stdout, stderr } = await runGit(repository.run, ["stash", "push", "--message", "carryon load"]);
  await syncForeignObjects(repository, begun);
  await syncNames(repository, ["refs/stash", "logs/refs/stash"]);
  return `${Buffer.from(stdout, "latin1").toString()}${stderr}`.trim();
}
