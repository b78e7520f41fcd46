import { Option } from "@commander-js/extra-typings";
import { applyChange } from "../../install/apply-change.ts";
import { identifyHere, locateInstall } from "../../install/locate-settings.ts";
import { planForPlugin } from "../../install/plan-for-plugin.ts";
import { type InstallPlan, planInit } from "../../install/plan-init.ts";
import { readVersion } from "../../lib/version.ts";
import { openInbox } from "../../storage/open-inbox.ts";
import { using } from "../../workspace/open-here.ts";
import { findTrusted, trustHere } from "../../workspace/trust-here.ts";
import type { CommandContext } from "../command-context.ts";
import { askConsent } from "../consent.ts";
import { defineCommand } from "../define-command.ts";
import { describeExtras } from "../init/describe-extras.ts";
import { offerImport } from "../init/offer-import.ts";
import { renderChanges } from "../init/render-changes.ts";
import { renderPreview } from "../init/render-preview.ts";
import { settleDocuments } from "../init/settle-documents.ts";
import { clientChoice, scopeOption, yesOption } from "../parse-options.ts";
import { requirePerson } from "../require-person.ts";
import { tellOfServer } from "../sync/tell-of-server.ts";

/** What is said where the client can be expected to run the hooks. */
const promise = {
  project: "Carryon records what Claude Code does here from its next start on.\n",
  user: "Carryon records what Claude Code does in all projects from its next start on.\n",
} as const;

export const command = defineCommand({
  details:
    "Adds hooks to the settings of Claude Code, so that each prompt and each tool call is recorded when it happens, the commands " +
    "/session:save, load, status and new, the skill /sdd-handover, and in a project the MCP server of .mcp.json. " +
    "Shows what it will write and where, and asks first; a script has to say --yes. What else is in the settings stays as it is, " +
    "files of others are never overwritten, and `carryon uninit` takes everything back.",
  examples: [
    { line: "carryon init", does: "Record the sessions in this project, after asking" },
    { line: "carryon init --scope user", does: "Record the sessions in all projects" },
    { line: "carryon init --dry-run", does: "See every line that would be written" },
    { line: "carryon init --plugin", does: "Trust this project, where the plugin brings the rest" },
  ],
  define: (command) =>
    command
      .addOption(clientChoice())
      .addOption(scopeOption())
      .option("--plugin", "Only what the plugin of Claude Code needs: the programs that it runs")
      .addOption(
        new Option(
          "--documents <where>",
          "Keep the handover documents out of commits, or let them be committed",
        ).choices(["private", "committed"] as const),
      )
      .option("--dry-run", "Show every line that would be written, and write nothing")
      .addOption(new Option("--no-import", "Leave the history that the client has kept where it is"))
      .addOption(yesOption()),
  run: async (context, _args, { scope, plugin, documents, dryRun, import: wantsImport, yes = false }) => {
    const site = await locateInstall(context, scope);
    const trusts = scope === "project" && (await findTrusted(context)) === undefined;
    const [version, identities] = await Promise.all([readVersion(), identifyHere(context)]);
    const [node, launcher] = context.program;
    const launch = { node, launcher, version };
    const wish = { launch, identities, trusts, now: context.clock.now() };
    const plan = await (plugin ? planForPlugin(site, launch) : planInit(site, wish));
    const { changes, doubts } = plan;
    if (changes.length === 0 && !trusts && documents === undefined)
      return context.err("Carryon is set up here already.\n");
    context.out(dryRun ? renderChanges(changes, context) : renderPreview(changes, site.home, context));
    context.out(describeExtras(site, { changes, trusts, documents }));
    await warn(context, plan);
    if (dryRun) return context.err("Nothing was written.\n");
    await requireForTrust(context, { trusts });
    const consents = await askConsent(context, {
      yes,
      question: "Write this?",
      otherwise: "Nothing was written.",
    });
    if (!consents) return;
    // Hooks put nothing into a store that is not there.
    await using(await openInbox(site.home), () => Promise.resolve());
    for (const change of changes) await applyChange(change);
    if (trusts) await trustHere(context);
    await settleDocuments(context, site, { documents, yes });
    if (doubts.length === 0) context.err(promise[scope]);
    if (wantsImport) await offerImport(context, site, { yes });
  },
});

async function requireForTrust(
  context: CommandContext,
  { trusts }: { readonly trusts: boolean },
): Promise<void> {
  if (trusts) await requirePerson(context, "Only a person says that a project is trusted");
}

async function warn(context: CommandContext, { warnings, doubts }: InstallPlan): Promise<void> {
  for (const warning of [...warnings, ...doubts]) context.warn(warning);
  await tellOfServer(context);
}
