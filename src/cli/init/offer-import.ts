import { listTranscripts } from "../../clients/claude-code/locate.ts";
import type { InstallSite } from "../../install/locate-settings.ts";
import type { CommandContext } from "../command-context.ts";
import { offerKeptRuns } from "../run/offer-kept-runs.ts";
import { runSync } from "../sync/run-sync.ts";

/** Takes in what the client has kept so far, if there is something and it is wanted: it deletes what is older than 30 days. */
export async function offerImport(
  context: CommandContext,
  { scope, root, client }: InstallSite,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  if (scope === "project") await offerKeptRuns(context, root, { yes });
  // A project that has moved since has its history elsewhere; to look whose all of it is would take too long to ask.
  const kept = await listTranscripts(client, scope === "project" && !yes ? root : undefined);
  if (kept.length === 0) return;
  const question = `Take in what Claude Code has kept of ${scope === "project" ? "this project" : "all projects"}?`;
  if (!(yes || (await context.confirm(question)))) return;
  await runSync(context, scope === "project" ? { project: root } : {});
}
