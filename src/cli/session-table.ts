import { describeAge, describeAgeShortly } from "../lib/duration.ts";
import type { Style, TextStyle } from "../lib/style.ts";
import { truncate } from "../lib/terminal-text.ts";
import type { Session, SessionStatus } from "../sessions/session.ts";
import type { ShortId } from "../sessions/short-ids.ts";
import type { CommandContext } from "./command-context.ts";
import { describeTitle } from "./describe-title.ts";
import { type Column, renderTable } from "./render-table.ts";

/** Returns how the status of a session is coloured: what was cut off, and what still runs, is found at a glance. */
export function statusStyle(status: SessionStatus, style: Style): TextStyle {
  switch (status) {
    case "interrupted":
      return style.yellow;
    case "open":
      return style.green;
    case "ended":
      return (text) => text;
  }
}

/** From this many columns on, a terminal has room for more than id, age, size, status and title. */
export const wide = 100;

/** What is always left of the titles. */
const titleWidth = 8;

/** What is left of the titles before other columns are left out. */
const readableWidth = { wide: 30, narrow: 16 };

/** A branch may be longer than any title. */
const branchWidth = 24;

interface TableForm {
  readonly shortId: ShortId;
  /** What the page calls some of them; others are called by their titles. */
  readonly names?: ReadonlyMap<string, string>;
  readonly withProject?: boolean;
  /** What stands in the place of the size and the status. */
  readonly instead?: readonly Column<Session>[];
}

/** Renders sessions as a table that fits the terminal. In a pipe, nothing is left out or cut. */
export function renderSessions(
  sessions: readonly Session[],
  context: CommandContext,
  { shortId, names, withProject = false, instead }: TableForm,
): string {
  const { columns: width, style } = context;
  const now = context.clock.now();
  const isWide = width === undefined || width >= wide;
  const age = isWide ? describeAge : describeAgeShortly;
  const minWidth = isWide ? readableWidth.wide : readableWidth.narrow;
  const columns: readonly Column<Session>[] = [
    { header: "SESSION", cell: ({ id }) => (width === undefined ? id : cutId(shortId(id), width)) },
    { header: "UPDATED", cell: ({ updatedAt }) => age(updatedAt, now), leaves: 4 },
    ...(instead ?? [
      { header: "MSGS", cell: ({ messages }) => String(messages), align: "right", leaves: 3 } as const,
      {
        header: "STATUS",
        cell: ({ status }: Session) => status,
        style: ({ status }: Session) => statusStyle(status, style),
        leaves: 6,
      },
    ]),
    ...(isWide ? wideColumns(width) : []),
    ...(withProject ? [projectColumn] : []),
    ...(sessions.some(({ machine }) => machine !== context.machine) ? [machineColumn] : []),
    {
      ...{ header: "TITLE", flexible: true, minWidth },
      cell: (session) => names?.get(session.id) ?? describeTitle(session),
    },
  ];
  return `${renderTable(columns, sessions, { width, style: style.bold })}\n`;
}

function wideColumns(width: number | undefined): readonly Column<Session>[] {
  const longest = width === undefined ? Number.POSITIVE_INFINITY : branchWidth;
  return [
    { header: "CLIENT", cell: ({ client }) => client, leaves: 2 },
    { header: "BRANCH", cell: ({ branch }) => truncate(branch ?? "-", longest), leaves: 1 },
  ];
}

const projectColumn: Column<Session> = {
  header: "PROJECT",
  cell: ({ projectName }) => projectName,
  leaves: 5,
};

/** There only where sessions came from another machine. */
const machineColumn: Column<Session> = {
  header: "MACHINE",
  cell: ({ machine }) => machine,
  leaves: 2,
};

/** Leaves room for a title even beside a long id: the beginning of an id finds the session too. */
function cutId(id: string, width: number): string {
  return truncate(id, Math.max(titleWidth, width - titleWidth - 2));
}
