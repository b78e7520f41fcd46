import { runGit } from "../../work/run-git.ts";
import { repositoryOf, type WorkDesk } from "./work-desk.ts";

/** Stashes what git tracks, and returns what git says of it. */
export async function stashChanges(desk: WorkDesk): Promise<string> {
  const repository = await repositoryOf(desk);
  if (repository === undefined) return "This is no repository.";
  const { stdout, stderr } = await runGit(repository.run, ["stash", "push", "--message", "carryon load"]);
  return `${Buffer.from(stdout, "latin1").toString()}${stderr}`.trim();
}
