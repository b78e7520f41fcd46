import { type Found, isFound, type Replaced } from "../care/scrub.ts";
import { plural } from "../lib/plural.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { FixedNames, FoundSession, ScrubFinding } from "../sessions/scrubber.ts";
import { wipeDue } from "../storage/wipe-due.ts";
import type { CommandContext } from "./command-context.ts";
import { type Column, renderTable } from "./render-table.ts";

/** Renders the sessions in which something was found. */
export function renderFound(sessions: readonly FoundSession[], context: CommandContext): string {
  if (sessions.length === 0) return "";
  const columns: readonly Column<FoundSession>[] = [
    { header: "SESSION", cell: ({ session }) => session, flexible: true, minWidth: 8 },
    { header: "ENTRIES", cell: ({ entries }) => String(entries), align: "right" },
    { header: "ALSO IN", cell: ({ describedIn }) => describedIn.join(", ") || "-", leaves: 1 },
  ];
  return `${renderTable(columns, sessions, { width: context.columns, style: context.style.bold })}\n`;
}

type Amount = Pick<Replaced, "entries" | "sessions" | "projectNames"> &
  Partial<Pick<ScrubFinding, "pending">>;

/** Says in one phrase how much was found or replaced. */
export function describeAmount({ entries, sessions, projectNames, pending = 0 }: Amount): string {
  const inSessions =
    entries === 0
      ? `what describes ${plural(sessions, "session")}`
      : `${plural(entries, "entry", "entries")} of ${plural(sessions, "session")}`;
  const names = projectNames === 1 ? "the name of 1 project" : `the names of ${projectNames} projects`;
  return [
    ...(sessions === 0 ? [] : [inSessions]),
    ...(projectNames === 0 ? [] : [names]),
    ...(pending === 0 ? [] : [`${plural(pending, "note", "notes")} for the next sync`]),
  ].join(" and ");
}

/** Says what was done, a line each. */
export function describeOutcome(found: Found, replaced: Replaced | null): string {
  if (replaced === null) return describeFinding(found);
  const { entries, sessions, projectNames, wiped } = replaced;
  const { pending } = found;
  const isNew = entries + sessions + projectNames + pending > 0;
  const finished = wiped ? "An earlier scrub has been finished." : "An earlier scrub could not be finished.";
  const lines = [
    isNew ? `Scrubbed ${describeAmount({ ...replaced, pending })}.` : `Nothing was found. ${finished}`,
    "Backups from before, replicas, and the files of a database server may still hold it.",
    "Change the secret: whoever could read the store may have it, and a short one can be guessed from the hashes that stay.",
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function describeFinding(found: Found): string {
  const amount = describeAmount({ ...found, sessions: found.sessions.length });
  const unfinished = found.isUnfinished ? `${wipeDue.what}\n` : "";
  return `${isFound(found) ? `Found in ${amount}` : "Nothing was found"}.\n${unfinished}`;
}

/** Says where it stays because it cannot be taken out here, a line each. */
export function renderRest(
  { fixed, otherCase, unreadable, copies, ...found }: Found,
  replaced: Replaced | null,
): string {
  const unread = plural(unreadable, "damaged entry", "damaged entries");
  const damaged = new Set([...found.damaged, ...(replaced?.damaged ?? [])]);
  const lines = [
    ...describeFixed(fixed),
    ...(otherCase === 0 ? [] : [`${describeOtherCase(otherCase)}: --ignore-case takes that out too.`]),
    ...(unreadable === 0 ? [] : [`${unread} could not be looked at: see \`carryon verify\`.`]),
    ...(damaged.size === 0 ? [] : ["The records of these sessions are damaged, and may still hold it:"]),
    ...[...damaged].map((id) => `  ${toPrintableLine(id)}`),
    ...(copies.length === 0 ? [] : ["Other stores that were not looked at:"]),
    ...copies.map((path) => `  ${toPrintableLine(path)}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function describeOtherCase(count: number): string {
  return `What describes ${plural(count, "session")} holds it in another case`;
}

function describeFixed({ sessions, entries, projects }: FixedNames): readonly string[] {
  const places = [
    ...(sessions === 0 ? [] : [`the names of ${plural(sessions, "session")}`]),
    ...(entries === 0 ? [] : [`the names of ${plural(entries, "entry", "entries")}`]),
    ...(projects === 0 ? [] : [`${plural(projects, "folder or remote", "folders or remotes")} of projects`]),
  ];
  if (places.length === 0) return [];
  return [`It stays in ${places.join(", ")}: what things are known by cannot be changed.`];
}
