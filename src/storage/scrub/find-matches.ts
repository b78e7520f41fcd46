import type { SessionId } from "../../conversation/ids.ts";
import type { FoundSession, ScrubFinding } from "../../conversation/scrubber.ts";
import type { TextPattern } from "../../lib/redaction/text-pattern.ts";
import type { Row, SqlRunner, SqlValue } from "../sql-driver.ts";
import { askWipeDue } from "../wipe-due.ts";
import { readBodies } from "./read-bodies.ts";
import { readSessions } from "./read-sessions.ts";
import { readSharers } from "./read-sharers.ts";
import { findDescribed } from "./rewrite-session.ts";
import { type Scrub, scrubText } from "./scrub-text.ts";

/** How many entries are looked at at once; of each only names and keys are read. */
const batchSize = 5000;

/** Looks for a pattern in all bodies, entries, sessions and projects. */
export async function findMatches(
  runner: SqlRunner,
  pattern: TextPattern,
  onProgress: (bodies: number) => void,
): Promise<ScrubFinding> {
  const scrub: Scrub = (text) => pattern.replace(text, () => "");
  const has = (text: string) => scrub(text) !== text;
  const { keys, unreadable } = await findBodies(runner, pattern, scrub, onProgress);
  const entries = await findEntries(runner, keys, has);
  const { sessions, fixed: fixedSessions } = await findSessions(runner, entries.held, scrub);
  const names = await runner.all("SELECT name FROM project");
  const ids = await runner.all("SELECT identity FROM project_identity UNION SELECT id FROM project");
  return {
    entries: [...entries.held.values()].reduce((sum, places) => sum + places.length, 0),
    sessions,
    projectNames: names.filter(([name]) => has(name as string)).length,
    fixed: {
      sessions: fixedSessions,
      entries: entries.fixed,
      projects: ids.filter(([id]) => has(id as string)).length,
    },
    unreadable,
    isUnfinished: (await runner.all(askWipeDue)).length > 0,
  };
}

async function findBodies(
  runner: SqlRunner,
  pattern: TextPattern,
  scrub: Scrub,
  onProgress: (bodies: number) => void,
): Promise<{ keys: ReadonlySet<number>; unreadable: number }> {
  const keys = new Set<number>();
  let unreadable = 0;
  let seen = 0;
  for await (const bodies of readBodies(runner)) {
    for (const body of bodies) {
      const text = scrubText(body, pattern, scrub);
      if (text === "unreadable") unreadable += 1;
      else if (text !== "unchanged") keys.add(body.key);
    }
    seen += bodies.length;
    onProgress(seen);
  }
  return { keys, unreadable };
}

interface FoundEntries {
  /** The places of the entries that have one of the bodies, by the key of the session that holds them. */
  readonly held: ReadonlyMap<number, readonly number[]>;
  readonly fixed: number;
}

async function findEntries(
  runner: SqlRunner,
  bodies: ReadonlySet<number>,
  has: (text: string) => boolean,
): Promise<FoundEntries> {
  const held = new Map<number, number[]>();
  let fixed = 0;
  for await (const [sessionKey, seq, id, strand, kind, bodyKey] of readEntryRows(runner)) {
    if ([id, strand, kind].some((name) => has(name as string))) fixed += 1;
    if (!bodies.has(bodyKey as number)) continue;
    const places = held.get(sessionKey as number);
    if (places === undefined) held.set(sessionKey as number, [seq as number]);
    else places.push(seq as number);
  }
  return { held, fixed };
}

async function* readEntryRows(runner: SqlRunner): AsyncGenerator<Row> {
  let after: readonly SqlValue[] = [-1, 0];
  for (;;) {
    const rows = await runner.all(
      `SELECT session_key, seq, id, strand, kind, body_key FROM entry WHERE (session_key, seq) > (?, ?)
       ORDER BY session_key, seq LIMIT ${batchSize}`,
      after,
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.slice(0, 2);
  }
}

/** Returns how many of the found entries each session has that is there. */
async function countEntries(
  runner: SqlRunner,
  held: FoundEntries["held"],
): Promise<ReadonlyMap<SessionId, number>> {
  const counts = new Map<SessionId, number>();
  for (const [holder, places] of held) {
    for (const { session, upTo } of await readSharers(runner, holder)) {
      const count = places.filter((seq) => seq <= upTo).length;
      counts.set(session, (counts.get(session) ?? 0) + count);
    }
  }
  return counts;
}

/** Returns the sessions that hold something, and how many have a name that cannot be changed. */
async function findSessions(
  runner: SqlRunner,
  held: FoundEntries["held"],
  scrub: Scrub,
): Promise<{ sessions: readonly FoundSession[]; fixed: number }> {
  const counts = await countEntries(runner, held);
  const sessions: FoundSession[] = [];
  let fixed = 0;
  for await (const stored of readSessions(runner)) {
    const { id, clientSessionId, machine } = stored.session;
    if ([id, clientSessionId ?? "", machine].some((name) => scrub(name) !== name)) fixed += 1;
    const found = { session: id, entries: counts.get(id) ?? 0, describedIn: findDescribed(stored, scrub) };
    if (found.entries > 0 || found.describedIn.length > 0) sessions.push(found);
  }
  return { sessions, fixed };
}
