import { toPrintableLine } from "../../lib/printable.ts";
import type { SyncReport } from "../../sync/sync-report.ts";
import { plural } from "../plural.ts";

/** Says in a few words what was taken in. */
export function renderReport(report: SyncReport): string {
  const { transcripts, changed, leftOut, sessions, forks, added } = report;
  const forked = forks === 0 ? "" : `, ${forks} of them ${forks === 1 ? "a fork" : "forks"}`;
  const news =
    changed === 0
      ? "nothing new"
      : `${plural(added, "new entry", "new entries")}, ${plural(sessions, "new session")}${forked}`;
  const left = leftOut === 0 ? "" : ` ${plural(leftOut, "session")} left out.`;
  return `${plural(transcripts, "transcript")}, ${changed} with something to read: ${news}.${left}\n`;
}

/** How many lines of one kind are shown; --json has all. */
const shown = 20;

/** Lists what could not be read, and what was read in an unusual way; empty when there is nothing. */
export function renderTroubles({ rejected, revised, orphans, failed }: SyncReport): string {
  const first = revised.filter(({ kept }) => kept === "first");
  return [
    list(failed, ({ path, reason }) => `Not taken in: ${path}: ${reason}`),
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

function list<Item>(items: readonly Item[], describe: (item: Item) => string): string {
  const lines = items.slice(0, shown).map((item) => `${toPrintableLine(describe(item))}\n`);
  const rest = items.length - lines.length;
  return lines.join("") + (rest > 0 ? `… and ${rest} more like it; --json lists all.\n` : "");
}
