import type { TextPattern } from "../../redaction/text-pattern.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { FoundSession, ScrubFinding } from "../../sessions/scrubber.ts";
import type { Row, SqlRunner, SqlValue } from "../sql-driver.ts";
import { askWipeDue } from "../wipe-due.ts";
import { readBodies } from "./read-bodies.ts";
import { readSessions } from "./read-sessions.ts";
import { readSharers } from "./read-sharers.ts";
import { findDescribed, isDescribedLike } from "./rewrite-session.ts";
import { countPending } from "./scrub-pending.ts";
import { type Scrub, type ScrubbedText, scrubText } from "./scrub-text.ts";

/** How many entries are looked at at once; of each only names and keys are read. */
const batchSize = 5000;

/** Looks for a pattern in all bodies, entries, sessions and projects. */
export async function findMatches(
  runner: SqlRunner,
  pattern: TextPattern,
  onProgress: (bodies: number) => void,
): Promise<ScrubFinding> {
  const scrub: Scrub = (text) => pattern.replace(text, () => "");
  const { keys, unreadable } = await findBodies(runner, pattern, scrub, onProgress);
  const entries = await findEntries(runner, keys, pattern);
  const { fixed: fixedSessions, ...found } = await findSessions(runner, entries.held, { pattern, scrub });
  const names = await runner.all("SELECT name FROM project");
  const ids = await runner.all("SELECT identity FROM project_identity UNION SELECT id FROM project");
  const count = (rows: readonly Row[], is: (text: string) => boolean) =>
    pattern.together(() => rows.filter(([text]) => is(text as string)).length);
  return {
    entries: [...entries.held.values()].reduce((sum, places) => sum + places.length, 0),
    ...found,
    projectNames: count(names, (name) => scrub(name) !== name),
    pending: await countPending(runner, pattern, scrub),
    fixed: { sessions: fixedSessions, entries: entries.fixed, projects: count(ids, pattern.isLike) },
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
    const texts = pattern.together(() => bodies.map((body) => isIn(scrubText(body, pattern, scrub))));
    for (const [index, { key }] of bodies.entries()) {
      if (texts[index] === "unreadable") unreadable += 1;
      else if (texts[index] === "found") keys.add(key);
    }
    seen += bodies.length;
    onProgress(seen);
  }
  return { keys, unreadable };
}

/** The texts themselves would be too much to keep. */
function isIn(text: ScrubbedText): "found" | "unchanged" | "unreadable" {
  return typeof text === "string" ? text : "found";
}

interface FoundEntries {
  /** The places of the entries that have one of the bodies, by the key of the session that holds them. */
  readonly held: ReadonlyMap<number, readonly number[]>;
  readonly fixed: number;
}

async function findEntries(
  runner: SqlRunner,
  bodies: ReadonlySet<number>,
  pattern: TextPattern,
): Promise<FoundEntries> {
  const held = new Map<number, number[]>();
  const has = (name: unknown) => pattern.replace(name as string, () => "") !== name;
  let fixed = 0;
  for await (const rows of readEntryRows(runner)) {
    fixed += pattern.together(() => rows.filter(([, , , ...names]) => names.some(has)).length);
    for (const [sessionKey, seq, bodyKey] of rows) {
      if (!bodies.has(bodyKey as number)) continue;
      const places = held.get(sessionKey as number);
      if (places === undefined) held.set(sessionKey as number, [seq as number]);
      else places.push(seq as number);
    }
  }
  return { held, fixed };
}

async function* readEntryRows(runner: SqlRunner): AsyncGenerator<readonly Row[]> {
  let after: readonly SqlValue[] = [-1, 0];
  for (;;) {
    const rows = await runner.all(
      `SELECT session_key, seq, body_key, id, strand, kind FROM entry WHERE (session_key, seq) > (?, ?)
       ORDER BY session_key, seq LIMIT ${batchSize}`,
      after,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
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

interface FoundSessions extends Pick<ScrubFinding, "sessions" | "otherCase" | "damaged"> {
  /** How many have a name that cannot be changed. */
  readonly fixed: number;
}

async function findSessions(
  runner: SqlRunner,
  held: FoundEntries["held"],
  { pattern, scrub }: { readonly pattern: TextPattern; readonly scrub: Scrub },
): Promise<FoundSessions> {
  const counts = await countEntries(runner, held);
  const sessions: FoundSession[] = [];
  const damaged: SessionId[] = [];
  let [fixed, otherCase] = [0, 0];
  for await (const stored of readSessions(runner)) {
    if ("damaged" in stored) {
      damaged.push(stored.damaged);
      continue;
    }
    const { id, clientSessionId, machine } = stored.session;
    const look = pattern.together(() => ({
      isNamed: [id, clientSessionId ?? "", machine].some(pattern.isLike),
      describedIn: findDescribed(stored, scrub),
      isLike: isDescribedLike(stored, pattern.isLike),
    }));
    if (look.isNamed) fixed += 1;
    if (look.isLike && look.describedIn.length === 0) otherCase += 1;
    const found = { session: id, entries: counts.get(id) ?? 0, describedIn: look.describedIn };
    if (found.entries > 0 || found.describedIn.length > 0) sessions.push(found);
  }
  return { sessions, otherCase, damaged, fixed };
}
