import { GitRefused } from "../../git/git-refused.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { findUnneededFiles, type UnneededFiles } from "../../run/unneeded-files.ts";
import type { Session } from "../../sessions/session.ts";
import { forgetTrees } from "../../work/list-trees.ts";
import type { WritableProject } from "../../workspace/open-project.ts";
import type { CommandContext } from "../command-context.ts";

/** Finds the files of rounds that nobody needs when some sessions are gone: where these worked, and here. */
export function findFilesOf(
  { env }: CommandContext,
  { store, root }: WritableProject,
  sessions: readonly Session[],
): Promise<readonly UnneededFiles[]> {
  const runs = sessions.filter(({ client }) => client === "carryon-run");
  const going = new Set<string>(sessions.map(({ id }) => id));
  return findUnneededFiles(store, { folders: [...runs.map(({ cwd }) => cwd), root], env, going });
}

/** Says what is kept of rounds that nobody needs. */
export function describeUnneeded(found: readonly UnneededFiles[]): string {
  return found
    .map(({ root, trees }) => `${plural(trees.length, "round")} in ${toPrintableLine(root)}`)
    .join(", ");
}

/** Removes them, and says so. A repository that cannot be written keeps them, which is no reason to fail. */
export async function removeFiles(context: CommandContext, found: readonly UnneededFiles[]): Promise<void> {
  for (const { root, run, trees } of found) {
    const where = `${plural(trees.length, "round")} in ${toPrintableLine(root)}`;
    try {
      await forgetTrees(run, trees);
      context.err(`Removed the files of ${where}.\n`);
    } catch (error) {
      if (!(error instanceof GitRefused)) throw error;
      context.err(`The files of ${where} stay. Git said: ${toPrintableLine(error.said)}\n`);
    }
  }
}
