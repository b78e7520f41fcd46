import type { SessionId } from "../../sessions/ids.ts";
import type { HeadQuery, ReplicaHead } from "../../sessions/replica.ts";
import type { ClientName } from "../../sessions/session.ts";
import { toHex } from "../entry-codec.ts";
import { sendAll } from "../session-row.ts";
import type { Row, SqlRunner, SqlValue } from "../sql-driver.ts";

const pageSize = 500;

const select = `SELECT s.key, s.id, coalesce(r.known_as, s.id), s.client, s.started_ms, h.head_seq, h.head_hash,
    h.deleted_ms, CASE WHEN r.seq >= h.head_seq THEN r.machine END,
    CASE WHEN r.begun_here = 0 AND r.seq >= h.head_seq THEN 0 ELSE 1 END
  FROM session s JOIN session_head h ON h.session_key = s.key LEFT JOIN replica r ON r.session_key = s.key`;

/** Streams where sessions stand, in the order in which they came into the store. */
export async function* readHeads(
  runner: SqlRunner,
  { project, sessions }: HeadQuery,
): AsyncGenerator<readonly ReplicaHead[]> {
  const scope = project === undefined ? "" : " AND h.project_key = (SELECT key FROM project WHERE id = ?)";
  const wanted = sessions && new Set<string>(sessions);
  let after = 0;
  for (;;) {
    const params: SqlValue[] = project === undefined ? [after] : [after, project];
    const rows = await runner.all(`${select} WHERE s.key > ?${scope} ORDER BY s.key LIMIT ?`, [
      ...params,
      pageSize,
    ]);
    const page = rows.map(fromRow).filter(({ session }) => wanted === undefined || wanted.has(session));
    if (page.length > 0) yield page;
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.[0] as number;
  }
}

/** Returns where everything stands that other stores know by these ids. */
export async function readRelatives(
  runner: SqlRunner,
  knownAs: readonly SessionId[],
): Promise<readonly ReplicaHead[]> {
  const found: ReplicaHead[] = [];
  const size = knownAs.length === 1 ? 1 : idsAtOnce;
  const marks = Array.from({ length: size }, () => "?").join(", ");
  for (let from = 0; from < knownAs.length; from += size) {
    const some = knownAs.slice(from, from + size);
    const ids = [...some, ...Array.from({ length: size - some.length }, () => "")];
    const rows = await sendAll([
      runner.all(`${select} WHERE s.id IN (${marks}) AND (r.known_as IS NULL OR r.known_as = s.id)`, ids),
      runner.all(`${select} WHERE r.known_as IN (${marks}) AND r.known_as <> s.id`, ids),
    ]);
    found.push(...rows.flat().map(fromRow));
  }
  return found;
}

/** Ids that are asked for at once where there are several; a statement of one size is prepared once. */
const idsAtOnce = 100;

function fromRow([
  ,
  session,
  knownAs,
  client,
  startedMs,
  entries,
  head,
  deletedMs,
  machine,
  isOwn,
]: Row): ReplicaHead {
  return {
    session: session as SessionId,
    knownAs: knownAs as SessionId,
    client: client as ClientName,
    startedAt: new Date(startedMs as number),
    entries: entries as number,
    head: toHex(head),
    deletedAt: deletedMs === null ? null : new Date(deletedMs as number),
    machine: machine as string | null,
    isOwn: isOwn === 1,
  };
}
