import { listTranscripts, locateClient } from "../../clients/claude-code/locate.ts";
import { AppError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { inspectInstall } from "../../project/install/inspect-install.ts";
import type { StoreReport } from "../../storage/store-report.ts";
import type { StoreSite } from "../../storage/store-site.ts";
import { type DeletedWork, findDeletedWork } from "../../sync/deleted-work.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { locateInstall } from "../init/locate-install.ts";
import { moveDamaged } from "../move-damaged.ts";
import { requireFile, storeOf, using } from "../open-here.ts";
import { jsonOption } from "../parse-options.ts";
import { plural } from "../plural.ts";
import { renderJson } from "../render-json.ts";
import { renderReport, renderUsage } from "../store-report.ts";
import { renderDeleted } from "../sync/render-report.ts";
import { readVersion } from "../version.ts";

export const command = defineCommand({
  details: "Changes nothing unless told; exit code 74 says that something is wrong.",
  examples: [
    { line: "carryon doctor", does: "Examine the store and the hooks" },
    { line: "carryon doctor --usage", does: "Which project and client take how much space" },
    {
      line: "carryon doctor --move-aside",
      does: "Put a store that cannot be read aside, so that a new one can begin",
    },
  ],
  define: (command) =>
    command
      .option("--usage", "Also say what takes space")
      .option("--move-aside", "Rename a damaged store, and say to what; nothing is deleted")
      .addOption(jsonOption()),
  run: async (context, _args, { usage, moveAside: asksToMove, json }) => {
    const site = await storeOf(context);
    const file = asksToMove ? requireFile(site) : undefined;
    const store = await site.inspect();
    const install = await locateInstall(context, "project");
    const hooks = await inspectInstall(install, await readVersion());
    const report = { ...store, problems: [...store.problems, ...hooks] };
    // Of a store that cannot be read, everything else is still told.
    const readable = usage === true && report.sessions !== null;
    const rows = readable ? await using(await site.openForReading(), (store) => store.usage()) : undefined;
    const deleted = await findDeleted(context, site, report);
    const moved = file && (await moveDamaged(file, store, context.clock.now()));
    if (json) {
      const extra = { deleted, ...(rows && { usage: rows }), ...(moved && { movedTo: moved }) };
      context.out(`${renderJson({ ...report, ...extra })}\n`);
    } else {
      context.out(renderReport(report, context) + renderDeleted(deleted));
      if (rows !== undefined) context.out(renderUsage(rows, context));
    }
    if (moved !== undefined) return context.err(`The store was moved to ${toPrintableLine(moved)}\n`);
    if (report.problems.length > 0) throw problemsFound(report, site);
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
  const files = await listTranscripts(client);
  return using(await site.openForReading(), ({ ingestion }) => findDeletedWork(ingestion, files));
}

function problemsFound({ problems, sessions }: StoreReport, { file }: StoreSite): AppError {
  return new AppError(`${plural(problems.length, "problem")} found.`, {
    kind: "io",
    code: "problems-found",
    hint:
      sessions === null && file !== undefined
        ? "`carryon doctor --move-aside` renames the store; nothing is deleted."
        : undefined,
  });
}
