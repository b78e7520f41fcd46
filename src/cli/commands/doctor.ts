import { moveDamaged } from "../../care/move-damaged.ts";
import { listTranscripts } from "../../clients/claude-code/locate.ts";
import { locateClient } from "../../clients/claude-code/locate-client.ts";
import { clearLog } from "../../install/inspect-log.ts";
import { AppError } from "../../lib/app-error.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { type DeletedWork, findDeletedWork } from "../../recording/deleted-work.ts";
import type { UsageRow } from "../../storage/read-usage.ts";
import type { StoreReport } from "../../storage/store-report.ts";
import type { StoreSite } from "../../storage/store-site.ts";
import { requireFile, storeOf, using } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { examine } from "../examine.ts";
import { jsonOption } from "../parse-options.ts";
import { openProgress } from "../progress.ts";
import { renderJson } from "../render-json.ts";
import { renderReport, renderUsage } from "../store-report.ts";
import { renderDeleted } from "../sync/render-report.ts";

export const command = defineCommand({
  details: "Changes nothing unless told; exit code 74 says that something is wrong.",
  examples: [
    { line: "carryon doctor", does: "Examine store, hooks and handover; each problem comes with what to do" },
    { line: "carryon doctor --usage", does: "Which project and client take how much space" },
    { line: "carryon doctor --reindex", does: "Make the search index anew from what is recorded" },
    {
      line: "carryon doctor --move-aside",
      does: "Put a store that cannot be read aside, so that a new one can begin",
    },
  ],
  define: (command) =>
    command
      .option("--usage", "Also say what takes space")
      .option("--reindex", "Make the search index anew")
      .option("--move-aside", "Rename a damaged store, and say to what; nothing is deleted")
      .option("--new-key", "Make a new key for the store where its key is lost")
      .option("--clear-log", "Delete what hooks noted of their failures, once it is shown")
      .addOption(jsonOption()),
  run: async (context, _args, { usage, reindex, newKey, json, ...asked }) => {
    const { moveAside: asksToMove, clearLog: asksToClear } = asked;
    const site = await storeOf(context);
    const file = asksToMove ? requireFile(site) : undefined;
    await makeKey(context, site, { newKey: newKey === true });
    await rebuildIndex(context, site, { reindex: reindex === true });
    const store = await site.inspect();
    const { report, logged, home } = await examine(context, store);
    const rows = usage ? await readUsage(site, store) : undefined;
    const deleted = await findDeleted(context, site, report);
    const moved = file && (await moveDamaged(file, store, context.clock.now()));
    const extra = { deleted, ...(rows && { usage: rows }), ...(moved && { movedTo: moved }) };
    if (json) context.out(`${renderJson({ ...report, ...extra })}\n`);
    else
      context.out(renderReport(report, context) + renderDeleted(deleted) + renderUsage(rows ?? [], context));
    if (asksToClear) await clearLog(home).then(() => context.err("What hooks noted is forgotten.\n"));
    if (moved !== undefined) return context.err(`The store was moved to ${toPrintableLine(moved)}\n`);
    const left = report.problems.length - (asksToClear ? logged : 0);
    if (left > 0) throw problemsFound(left);
  },
});

/** Clients are recorded on this machine only. */
async function findDeleted(
  context: CommandContext,
  site: StoreSite,
  { sessions }: StoreReport,
): Promise<readonly DeletedWork[]> {
  if (site.file === undefined || sessions === null) return [];
  const client = locateClient(context.userHome, context.env.CLAUDE_CONFIG_DIR);
  // Sync tells of what cannot be read.
  const files = await listTranscripts(client, undefined, () => undefined);
  return using(await site.openForReading(), ({ ingestion }) => findDeletedWork(ingestion, files));
}

/** Of a store that cannot be read, everything else is still told. */
async function readUsage(
  site: StoreSite,
  { sessions }: StoreReport,
): Promise<readonly UsageRow[] | undefined> {
  return sessions === null ? undefined : using(await site.openForReading(), (store) => store.usage());
}

async function makeKey(
  context: CommandContext,
  site: StoreSite,
  { newKey }: { readonly newKey: boolean },
): Promise<void> {
  if (!newKey) return;
  await requireFile(site).makeKey();
  context.err("The store has a key.\n");
}

async function rebuildIndex(
  context: CommandContext,
  site: StoreSite,
  { reindex }: { readonly reindex: boolean },
): Promise<void> {
  if (!reindex) return;
  // Nothing is made where there is no store.
  await using(await site.openForReading(), async () => undefined);
  const progress = openProgress(context);
  const show = (done: number, total: number) => progress.show(`Indexing: ${done} of ${total} entries`);
  const entries = await using(await site.open(), ({ search }) => search.rebuild(show)).finally(() =>
    progress.clear(),
  );
  context.err(`The search index is made anew: ${plural(entries, "entry", "entries")}.\n`);
}

/** What to do about each stands below it. */
function problemsFound(count: number): AppError {
  return new AppError(`${plural(count, "problem")} found.`, { kind: "io", code: "problems-found" });
}
