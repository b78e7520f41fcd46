import { toPrintableLine } from "../../lib/printable.ts";
import { applyChange } from "../../project/install/apply-change.ts";
import { planUninit } from "../../project/install/plan-uninit.ts";
import { askConsent } from "../consent.ts";
import { defineCommand } from "../define-command.ts";
import { identifyHere, locateInstall } from "../init/locate-install.ts";
import { renderChanges } from "../init/render-changes.ts";
import { renderPreview } from "../init/render-preview.ts";
import { distrustHere, findTrusted } from "../init/trust-here.ts";
import { clientChoice, scopeOption, yesOption } from "../parse-options.ts";

export const command = defineCommand({
  details:
    "Takes back what `carryon init` wrote: the hooks, the files and folders that were new, and the trust in the project if it came with them. " +
    "What was recorded stays in the store.",
  examples: [
    { line: "carryon uninit", does: "Stop recording in this project, after asking" },
    { line: "carryon uninit --scope user --yes", does: "Stop recording in all projects" },
  ],
  define: (command) =>
    command
      .addOption(clientChoice())
      .addOption(scopeOption())
      .option("--dry-run", "Show every line that would go, and take nothing back")
      .addOption(yesOption()),
  run: async (context, _args, { scope, dryRun, yes }) => {
    const site = await locateInstall(context, scope);
    const { changes, distrusts, stays } = await planUninit(site, await identifyHere(context));
    const trusted = scope === "project" && (await findTrusted(context)) !== undefined;
    const rest = [...stays, ...(trusted && !distrusts ? [staysTrusted] : [])];
    const tell = (said: string) => context.err(`${[said, ...rest].map(toPrintableLine).join("\n")}\n`);
    if (changes.length === 0) return tell("There is nothing to take back here.");
    context.out(dryRun ? renderChanges(changes, context) : renderPreview(changes, site.home, context));
    if (trusted && distrusts) context.out("This project will not be trusted any more.\n");
    if (dryRun) return tell("Nothing was taken back.");
    const consents = await askConsent(context, {
      yes: yes === true,
      question: "Take this back?",
      otherwise: "Nothing was taken back.",
    });
    if (!consents) return;
    for (const change of changes) await applyChange(change);
    if (distrusts) await distrustHere(context);
    tell("What was written here is taken back. What was recorded is still in the store.");
  },
});

const staysTrusted =
  "This project stays trusted. If it is not to be, `carryon trust --revoke` takes that back.";
