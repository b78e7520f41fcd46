import type { Session } from "../conversation/session.ts";
import { describeAge } from "../lib/duration.ts";
import type { CommandContext } from "./command-context.ts";
import { type Column, renderTable } from "./render-table.ts";

/** From this many columns on, a terminal has room for more than id, age, size and title. */
const wide = 100;

/** Renders sessions as a table that fits the terminal. In a pipe, nothing is left out or cut. */
export function renderSessions(
  sessions: readonly Session[],
  context: CommandContext,
  { withProject = false } = {},
): string {
  const { columns: width, style } = context;
  const now = context.clock.now();
  const isWide = width === undefined || width >= wide;
  const columns: readonly Column<Session>[] = [
    { header: "SESSION", cell: ({ id }) => (width === undefined ? id : shortId(id)) },
    { header: "UPDATED", cell: ({ updatedAt }) => describeAge(updatedAt, now) },
    { header: "MSGS", cell: ({ messages }) => String(messages), align: "right" },
    ...(isWide ? wideColumns : []),
    ...(withProject ? [{ header: "PROJECT", cell: ({ projectName }: Session) => projectName }] : []),
    { header: "TITLE", cell: ({ title }) => title || "(untitled)", flexible: true },
  ];
  return `${renderTable(columns, sessions, { width, style: style.bold })}\n`;
}

const wideColumns: readonly Column<Session>[] = [
  { header: "STATUS", cell: ({ status }) => status },
  { header: "CLIENT", cell: ({ client }) => client },
  { header: "BRANCH", cell: ({ branch }) => branch ?? "-" },
];

/** Leaves out the words of the title at the end of an id made here: what is left still finds the session. */
export function shortId(id: string): string {
  return /^session-\d{8}-\d{6}-[a-z0-9]{4}(?=-)/.exec(id)?.[0] ?? id;
}
