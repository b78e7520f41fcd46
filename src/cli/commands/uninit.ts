import { dropEmptyDocuments } from "../../handover/documents-in-commits.ts";
import { locateHandover } from "../../handover/handover-folder.ts";
import { applyChange, forgetInstall } from "../../install/file-change.ts";
import type { InstallScope } from "../../install/install-record.ts";
import { identifyHere, locateInstall } from "../../install/locate-settings.ts";
import { planUninit, type UninstallPlan } from "../../install/plan-install.ts";
import type { AppError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { locateHandoverHere } from "../../workspace/choose-handover-place.ts";
import { distrustHere, findTrusted } from "../../workspace/trust-here.ts";
import type { CommandContext } from "../command-context.ts";
import { askConsent } from "../consent.ts";
import { clientChoice, defineCommand, scopeOption, yesOption } from "../define-command.ts";
import { renderChanges, renderPreview } from "../init/render-preview.ts";
import { requirePerson } from "../require-person.ts";

export const command = defineCommand({
  details:
    "Takes back what `carryon init` wrote: the hooks, the commands, the server, the files and folders that were new, and the trust in the project if it came with them. " +
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
    if (!dryRun) await requirePerson(context, "Only a person takes back what was set up");
    const site = await locateInstall(context, scope);
    const plan = await planUninit(site, await identifyHere(context));
    const { changes, record, distrusts, stays } = plan;
    const all = record === undefined ? changes : [...changes, record];
    const trusted = scope === "project" && (await findTrusted(context)) !== undefined;
    const rest = listRest(stays, { trusted, distrusts });
    const tell = (...said: readonly string[]) =>
      context.err(`${[...said, ...rest].map(toPrintableLine).join("\n")}\n`);
    if (all.length === 0) return tell("There is nothing to take back here.");
    context.out(dryRun ? renderChanges(all, context) : renderPreview(all, site.home, context));
    if (trusted && distrusts) context.out("This project will not be trusted any more.\n");
    if (dryRun) return tell("Nothing was taken back.");
    const consents = await askConsent(context, {
      yes: yes === true,
      question: "Take this back?",
      otherwise: "Nothing was taken back.",
    });
    if (!consents) return;
    const { failure, documents } = await takeBack(context, plan, scope);
    tell(failure === undefined ? done : almostDone, ...documents);
    if (failure !== undefined) throw failure;
  },
});

const done = "What was written here is taken back. What was recorded is still in the store.";
const almostDone =
  "Everything else that was written here is taken back. What was recorded is still in the store.";

/** Takes everything back, and at last forgets the installation; returns why that could not be, and which documents stay. */
async function takeBack(
  context: CommandContext,
  { changes, record, distrusts }: UninstallPlan,
  scope: InstallScope,
): Promise<{ readonly failure: AppError | undefined; readonly documents: readonly string[] }> {
  // A folder that is kept for documents would keep the folders around it.
  const documents = scope === "project" ? await dropDocuments(context) : [];
  for (const change of changes) await applyChange(change);
  if (distrusts) await distrustHere(context);
  return { failure: record && (await forgetInstall(record)), documents };
}

/** Removes the folder of the documents where it is empty, and says where they are if there are some. */
async function dropDocuments(context: CommandContext): Promise<readonly string[]> {
  const place = await locateHandoverHere(context);
  const { folder } = locateHandover(place);
  return (await dropEmptyDocuments(place)) ? [`The handover documents stay in ${folder}.`] : [];
}

const staysTrusted =
  "This project stays trusted. If it is not to be, `carryon trust --revoke` takes that back.";

/** Lists what stays, the trust that nobody takes back among it. */
function listRest(
  stays: readonly string[],
  { trusted, distrusts }: { readonly trusted: boolean; readonly distrusts: boolean },
): readonly string[] {
  return trusted && !distrusts ? [...stays, staysTrusted] : stays;
}
