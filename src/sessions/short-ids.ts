import { unlessFailed } from "../lib/app-error.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { Session } from "./session.ts";

/** Returns an id as it is printed: what is printed finds that session and no other. */
export type ShortId = (id: string) => string;

/** Finds out which of these ids can be printed shortly, because no other session of the store begins the same. */
export async function readShortIds(
  log: Pick<ConversationLog, "list">,
  ids: readonly string[],
): Promise<ShortId> {
  const whole = new Set<string>();
  for (const id of new Set(ids)) if (!(await isFound(log, id))) whole.add(id);
  return (id) => (whole.has(id) ? id : beginningOf(id));
}

/** Where a table is shown. */
export interface TableView {
  /** The width of the terminal; undefined in a pipe. */
  readonly columns: number | undefined;
}

/** The same for a table of sessions: in a pipe its ids are whole. */
export async function readTableIds(
  { columns }: TableView,
  log: Pick<ConversationLog, "list">,
  sessions: readonly Session[],
): Promise<ShortId> {
  if (columns === undefined) return (id) => id;
  return readShortIds(
    log,
    sessions.map(({ id }) => id),
  );
}

async function isFound(log: Pick<ConversationLog, "list">, id: string): Promise<boolean> {
  const idPrefix = beginningOf(id);
  if (idPrefix === id) return true;
  // Where the record of another one that begins the same is damaged, the beginning finds nothing.
  const { sessions } = await unlessFailed(log.list({ idPrefix, limit: 2 }), { sessions: [] });
  return sessions.length === 1 && sessions[0]?.id === id;
}

/** Leaves out the words of the title at the end of an id made here, and most of a UUID. */
export function beginningOf(id: string): string {
  return /^session-\d{8}-\d{6}-[a-z0-9]{4}(?=-)|^[0-9a-f]{8}(?=-[0-9a-f-]{27}$)/.exec(id)?.[0] ?? id;
}
