import type { InstallSite } from "../../project/install/locate-settings.ts";
import type { CommandContext } from "../command-context.ts";
import { runSync } from "../sync/run-sync.ts";

/** Takes in what the client has kept so far, if that is wanted: it deletes what is older than 30 days. */
export async function offerImport(
  context: CommandContext,
  { scope, root }: InstallSite,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  const question = `Take in what Claude Code has kept of ${scope === "project" ? "this project" : "all projects"}?`;
  if (!(yes || (await context.confirm(question)))) return;
  await runSync(context, scope === "project" ? { project: root } : {});
}
