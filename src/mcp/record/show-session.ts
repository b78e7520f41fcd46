import { toPrintableLine } from "../../lib/printable.ts";
import { mostCharacters } from "../../memory/quote.ts";
import { parseStrand } from "../../sessions/ids.ts";
import { readShown } from "../../sessions/observations.ts";
import type { Session } from "../../sessions/session.ts";
import { pageEntries, parsePlace, renderPlace } from "./page-entries.ts";
import type { ProjectRecord } from "./read-record.ts";

/** Which part of a session is wanted. */
export interface ShowRequest {
  readonly strand?: string | undefined;
  /** The number of the first entry; a negative one counts from the end. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly full?: boolean | undefined;
  /** Where the answer before ended. */
  readonly cursor?: string | undefined;
}

/** A part of a session in words. */
export interface ShownSession {
  readonly session: Session;
  /** What is to be quoted. */
  readonly text: string;
  /** The cursor to go on with; undefined at the end. */
  readonly next: string | undefined;
}

/** Shows as much of a session as one answer holds. */
export async function showSession(
  { log, talk }: ProjectRecord,
  session: Session,
  { strand, from, to, full = false, cursor }: ShowRequest,
): Promise<ShownSession> {
  const place = cursor === undefined ? undefined : parsePlace(cursor);
  const first = place?.seq ?? from;
  const range = {
    ...(first !== undefined && { from: first }),
    ...(to !== undefined && { to }),
    ...(strand !== undefined && { strand: parseStrand(strand) }),
  };
  const head = `${talk}Title: ${toPrintableLine(session.title).slice(0, 200)}\n\n`;
  const { text, next } = await pageEntries(readShown(log, session.id, range), {
    ...{ full, room: mostCharacters - head.length, told: place?.told ?? 0 },
  });
  return { session, text: head + text, next: next && renderPlace(next) };
}

/** Says of which session something is quoted. */
export function describeSession({ id, client, status, branch, entries }: Session): string {
  const where = branch === null ? "" : ` on ${toPrintableLine(branch)}`;
  return `Session ${id} of ${client}${where}: ${status}, ${entries} ${entries === 1 ? "entry" : "entries"}.`;
}
