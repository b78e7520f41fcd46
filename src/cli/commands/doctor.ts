import type { ClientsReport } from "../../care/client-files.ts";
import { type DoctorReport, doctor } from "../../care/doctor.ts";
import type { HookSource } from "../../install/inspect-install.ts";
import { clearLog } from "../../install/inspect-log.ts";
import { ioError } from "../../lib/app-error.ts";
import { formatBytes, plural } from "../../lib/describe.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import { padEnd, wrap } from "../../lib/terminal-text.ts";
import type { UsageRow } from "../../storage/read-usage.ts";
import type { Problem, StoreReport } from "../../storage/store-report.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { renderTable } from "../render-table.ts";
import { showIndexing } from "../search/show-indexing.ts";
import { renderDeleted } from "../sync/render-report.ts";

export const command = defineCommand({
  details: "Changes nothing unless told; exit code 74 says that something is wrong.",
  examples: [
    { line: "carryon doctor", does: "Examine store, hooks and handover; each problem comes with what to do" },
    { line: "carryon doctor --usage", does: "Which project and client take how much space" },
    {
      line: "carryon doctor --clients",
      does: "Find session files of Claude Code that are damaged or soon deleted",
    },
    {
      line: "carryon doctor --move-aside",
      does: "Put a store that cannot be read aside, so that a new one can begin",
    },
  ],
  define: (command) =>
    command
      .option("--usage", "Also say what takes space")
      .option("--clients", "Also examine the session files of Claude Code")
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
    const { report, deleted, usage, clients, movedTo } = found;
    const extra = {
      deleted,
      ...(usage && { usage }),
      ...(clients && { clients }),
      ...(movedTo && { movedTo }),
    };
    if (json) context.out(`${renderJson({ ...report, ...extra })}\n`);
    else
      context.out(
        renderReport(report, clients, context) + renderDeleted(deleted) + renderUsage(usage ?? [], context),
      );
    if (asksToClear) await clearLog(found.home).then(() => context.err("What hooks noted is forgotten.\n"));
    if (movedTo !== undefined) return context.err(`The store was moved to ${toPrintableLine(movedTo)}\n`);
    const left = report.problems.length - (asksToClear ? found.logged : 0);
    // What to do about each stands below it.
    if (left > 0) throw ioError("problems-found", `${plural(left, "problem")} found.`);
  },
});

/** Renders what `doctor` found out about a store. */
function renderReport(
  report: DoctorReport,
  clients: ClientsReport | undefined,
  { style, columns }: CommandContext,
): string {
  const facts = report.exists ? describeStore(report) : ["nothing recorded yet"];
  const lines = [
    ["Store", toPrintableLine(report.path)],
    ...facts.map((fact, index) => [index === 0 ? "Content" : "", fact]),
    ...describeEngine(report),
    ...describeIndex(report),
    ["Hooks", describeHooks(report.hooks)],
    ...(clients === undefined ? [] : [["Clients", describeExamined(clients)]]),
  ].map(([name = "", fact = ""]) => `${style.bold(padEnd(name, 8))} ${fact}`);
  const tell = (mark: string, found: readonly Problem[]) =>
    found.map(({ what, hint }) => {
      const lines = hint === "" ? toPrintableLine(what) : `${toPrintableLine(what)}\n${toPrintable(hint)}`;
      return wrap(lines, columns ?? Number.POSITIVE_INFINITY, "  ").replace("  ", `${mark} `);
    });
  const fine = report.problems.length === 0 ? [`${style.green("✓")} No problem found.`] : [];
  const told = [...tell(style.red("✗"), report.problems), ...fine, ...tell(style.yellow("·"), report.notes)];
  return `${[...lines, "", ...told].join("\n")}\n`;
}

const sources: Readonly<Record<HookSource, string>> = {
  project: "for this project",
  user: "for all projects",
  plugin: "of the plugin",
};

function describeHooks(scopes: readonly HookSource[]): string {
  if (scopes.length === 0) return "not installed here; `carryon init` records Claude Code";
  return scopes.map((source) => sources[source]).join(" and ");
}

function describeExamined({ examined, inUse }: ClientsReport): string {
  return `${plural(examined, "session file")} examined${inUse === 0 ? "" : `; ${inUse} not, because a client is in the session`}`;
}

/** It may be behind at any time: the next search catches up. */
function describeIndex({ search }: DoctorReport): readonly string[][] {
  if (search === null) return [];
  const { bytes, behind } = search;
  const lag =
    behind === 0 ? "" : `, ${plural(behind, "entry", "entries")} behind: the next search takes them in`;
  return [["Search", `${formatBytes(bytes)}${lag}`]];
}

/** The disk of a server is not ours to look at. */
function describeEngine({ sqlite, postgres, freeBytes }: StoreReport): readonly string[][] {
  if (sqlite === null)
    return postgres === null ? [] : [["Server", `PostgreSQL ${toPrintableLine(postgres)}`]];
  const free = Number.isFinite(freeBytes) ? `${formatBytes(freeBytes)} free` : "not looked at";
  return [
    ["Disk", free],
    ["SQLite", sqlite],
  ];
}

function describeStore({ sessions, schema, sqlite, bytes, walBytes }: StoreReport): readonly string[] {
  const content = sessions === null ? "cannot be read" : `${plural(sessions, "session")}, schema ${schema}`;
  const size = `${formatBytes(bytes)}${walBytes === 0 ? "" : ` and ${formatBytes(walBytes)} not yet merged into it`}`;
  return sqlite === null && sessions === null ? [content] : [content, size];
}

/** Renders what takes space, largest first. */
function renderUsage(rows: readonly UsageRow[], { columns, style }: CommandContext): string {
  if (rows.length === 0) return "";
  const table = renderTable<UsageRow>(
    [
      { header: "PROJECT", cell: ({ project }) => project, flexible: true },
      { header: "CLIENT", cell: ({ client }) => client },
      { header: "SESSIONS", cell: ({ sessions }) => String(sessions), align: "right" },
      { header: "ENTRIES", cell: ({ entries }) => String(entries), align: "right" },
      { header: "SIZE", cell: ({ bytes }) => formatBytes(bytes), align: "right" },
    ],
    rows,
    { width: columns, style: style.bold },
  );
  return `\n${table}\n`;
}
