import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { DeletedWork } from "../../recording/deleted-work.ts";
import { describeDeleted } from "../../recording/describe-deleted.ts";
import type { SyncReport } from "../../recording/sync-report.ts";

/** Says in a few words what was taken in. */
export function renderReport(report: SyncReport): string {
  return renderTaken(report) + renderWritten(report);
}

function renderTaken({ transcripts, changed, leftOut, sessions, forks, added }: SyncReport): string {
  const left = leftOut === 0 ? "" : ` Not asked for, or deleted: ${plural(leftOut, "session")}.`;
  if (transcripts === 0)
    return `${leftOut === 0 ? "No transcripts of Claude Code were found." : "Nothing to take in."}${left}\n`;
  if (changed === 0) return `Nothing new in ${plural(transcripts, "transcript")}.${left}\n`;
  const forked = forks === 0 ? "" : `, ${forks} of them ${forks === 1 ? "a fork" : "forks"}`;
  const news = `${plural(added, "new entry", "new entries")}, ${plural(sessions, "new session")}${forked}`;
  return `${plural(transcripts, "transcript")}, ${changed} with something to read: ${news}.${left}\n`;
}

/** Says which documents were written because of what was taken in. */
function renderWritten({ drafted, noted, flushed }: SyncReport): string {
  return (
    list(drafted, ({ path, session, trigger }) => `Drafted: ${path} (session ${session}, ${trigger})`) +
    list(noted, ({ path, session, notes }) => `Noted: ${path}, ${describeNotes(notes, session)}`) +
    list(flushed, ({ path, session, notes }) => `Flushed: ${path}, ${describeNotes(notes, session)}`)
  );
}

function describeNotes(notes: number, session: string): string {
  return `${plural(notes, "note")} of session ${session}`;
}

/** How many lines of one kind are shown; --json has all. */
const shown = 20;

/** Lists what could not be read, and what was read in an unusual way; empty when there is nothing. */
export function renderTroubles(report: SyncReport): string {
  const { deleted, rejected, revised, orphans, failed, unwritten } = report;
  const first = revised.filter(({ kept }) => kept === "first");
  return [
    renderDeleted(deleted),
    list(failed, (each) => `Not taken in: ${describeFailed(each)}`),
    list(unwritten, (each) => `Not written: ${describeFailed(each)}`),
    list(rejected, ({ path, line, reason }) => `Line left out: ${path}:${line}: ${reason}`),
    list(
      first,
      ({ session, entry }) =>
        `Changed by the client, the first version is kept: ${entry} of session ${session}`,
    ),
    list(
      orphans,
      ({ session, entry, parent }) =>
        `Its parent is missing: ${entry} of session ${session} follows ${parent}`,
    ),
  ].join("");
}

/** Most reasons name the file. */
function describeFailed({ path, reason }: SyncReport["failed"][number]): string {
  return reason.includes(path) ? reason : `${path}: ${reason}`;
}

function list<Item>(items: readonly Item[], describe: (item: Item) => string): string {
  const lines = items.slice(0, shown).map((item) => `${toPrintableLine(describe(item))}\n`);
  const rest = items.length - lines.length;
  return lines.join("") + (rest > 0 ? `… and ${rest} more like it; --json lists all.\n` : "");
}

/** Renders what `describeDeleted` says as a line; empty when there is nothing to say. */
export function renderDeleted(deleted: readonly DeletedWork[]): string {
  const said = describeDeleted(deleted);
  return said === "" ? "" : `${said}\n`;
}
