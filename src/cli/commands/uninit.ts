import { applyChange } from "../../project/install/file-change.ts";
import { planUninit } from "../../project/install/plan-uninit.ts";
import { askConsent } from "../consent.ts";
import { defineCommand } from "../define-command.ts";
import { locateInstall } from "../init/locate-install.ts";
import { renderChanges } from "../init/render-changes.ts";
import { distrustHere, findTrusted } from "../init/trust-here.ts";
import { clientChoice, scopeOption, yesOption } from "../parse-options.ts";

export const command = defineCommand({
  details:
    "Takes back what `carryon init` wrote: the hooks, the files and folders that were new, and the trust in the project. " +
    "What was recorded stays in the store.",
  examples: [
    { line: "carryon uninit", does: "Stop recording in this project, after asking" },
    { line: "carryon uninit --scope user --yes", does: "Stop recording in all projects" },
  ],
  define: (command) =>
    command
      .addOption(clientChoice())
      .addOption(scopeOption())
      .option("--dry-run", "Only show what would be taken back")
      .addOption(yesOption()),
  run: async (context, _args, { scope, dryRun, yes }) => {
    const changes = await planUninit(await locateInstall(context, scope));
    const trusts = scope === "project" && (await findTrusted(context)) !== undefined;
    if (changes.length === 0 && !trusts) return context.err("There is nothing to take back.\n");
    context.out(renderChanges(changes, context));
    if (trusts) context.out("This project will not be trusted any more.\n");
    if (dryRun) return context.err("Nothing was taken back.\n");
    const consents = await askConsent(context, {
      yes: yes === true,
      question: "Take this back?",
      otherwise: "Nothing was taken back.",
    });
    if (!consents) return;
    for (const change of changes) await applyChange(change);
    if (trusts) await distrustHere(context);
    context.err("Claude Code is as it was before. What was recorded is still in the store.\n");
  },
});
