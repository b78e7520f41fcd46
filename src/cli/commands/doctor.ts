import { doctor } from "../../care/doctor.ts";
import { clearLog } from "../../install/inspect-log.ts";
import { AppError } from "../../lib/app-error.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption } from "../parse-options.ts";
import { renderJson } from "../render-json.ts";
import { showIndexing } from "../search/show-indexing.ts";
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
  run: async (context, _args, { json, clearLog: asksToClear, ...request }) => {
    const found = await showIndexing(context, (indexing, clear) =>
      doctor(context, request, {
        keyMade: () => context.err("The store has a key.\n"),
        indexing,
        indexed: (entries) => {
          clear();
          context.err(`The search index is made anew: ${plural(entries, "entry", "entries")}.\n`);
        },
      }),
    );
    const { report, deleted, usage, movedTo } = found;
    const extra = { deleted, ...(usage && { usage }), ...(movedTo && { movedTo }) };
    if (json) context.out(`${renderJson({ ...report, ...extra })}\n`);
    else
      context.out(renderReport(report, context) + renderDeleted(deleted) + renderUsage(usage ?? [], context));
    if (asksToClear) await clearLog(found.home).then(() => context.err("What hooks noted is forgotten.\n"));
    if (movedTo !== undefined) return context.err(`The store was moved to ${toPrintableLine(movedTo)}\n`);
    const left = report.problems.length - (asksToClear ? found.logged : 0);
    // What to do about each stands below it.
    if (left > 0)
      throw new AppError(`${plural(left, "problem")} found.`, { kind: "io", code: "problems-found" });
  },
});
