import type { TextPattern } from "../../redaction/text-pattern.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { FoundSession, Scrubber, Scrubbing, ScrubFinding } from "../../sessions/scrubber.ts";
import { forgetDigests } from "../digests/forget-digests.ts";
import { type Guard, makeGuard } from "../guard.ts";
import { rewriteIndex, scrubIndex } from "../search/forget.ts";
import { readStored, type StoredSession } from "../session-row.ts";
import type { Row, SqlDriver, SqlRunner, SqlValue } from "../sql-driver.ts";
import { askWipeDue } from "../wipe-due.ts";
import { readBodies, type StoredBody } from "./read-bodies.ts";
import { readSessions } from "./read-sessions.ts";
import { readSharers } from "./read-sharers.ts";
import { type BodyChange, type ReplacedBatch, replaceBodies } from "./replace-bodies.ts";
import { findDescribed, isDescribedLike, rewriteSession } from "./rewrite-session.ts";
import { countPending, scrubPending } from "./scrub-pending.ts";
import { makeScrub, type Scrub, type ScrubbedText, scrubText } from "./scrub-text.ts";

/** Takes texts out of a store, over any engine that has a driver. */
export class SqlScrubber implements Scrubber {
  readonly #driver: SqlDriver;
  readonly #key: Uint8Array;
  readonly #guard: Guard;

  /** The key makes the markers; it never reaches the database. */
  constructor(driver: SqlDriver, key: Uint8Array) {
    this.#driver = driver;
    this.#key = key;
    this.#guard = makeGuard(key);
  }

  find(pattern: TextPattern, onProgress: (bodies: number) => void = () => undefined): Promise<ScrubFinding> {
    return findMatches(this.#driver, pattern, onProgress);
  }

  async replace(
    pattern: TextPattern,
    at: Date,
    onProgress: (bodies: number) => void = () => undefined,
  ): Promise<Scrubbing> {
    const scrub = makeScrub(pattern, this.#key);
    // First, because it becomes entries, which are gone through afterwards.
    await scrubPending(this.#driver, pattern, scrub);
    const tally: Tally = { entries: 0, sessions: new Set(), damaged: new Set() };
    let seen = 0;
    for await (const bodies of readBodies(this.#driver)) {
      const changes = pattern.together(() => bodies.flatMap((body) => toChange(body, pattern, scrub)));
      if (changes.length > 0) add(tally, await replaceBodies(this.#driver, this.#guard, changes, at));
      seen += bodies.length;
      onProgress(seen);
    }
    for await (const stored of readSessions(this.#driver)) {
      if ("damaged" in stored) tally.damaged.add(stored.damaged);
      else if (await this.#describeSession(stored, pattern, scrub)) tally.sessions.add(stored.session.id);
    }
    const projectNames = await this.#nameProjects(scrub);
    await scrubIndex(this.#driver, scrub);
    const { entries, sessions, damaged } = tally;
    return {
      ...{ entries, sessions: sessions.size, projectNames, damaged: [...damaged] },
      isWiped: await this.wipe(),
    };
  }

  /** Replaces what describes a session under its lock: an append writes its title back as it has read it. */
  async #describeSession(found: StoredSession, { together }: TextPattern, scrub: Scrub): Promise<boolean> {
    const isFound = (stored: StoredSession) => together(() => findDescribed(stored, scrub).length > 0);
    if (!isFound(found)) return false;
    return this.#driver.transaction(async (transaction) => {
      const stored = await readStored(transaction, found.session.id, this.#driver.dialect.lockHead);
      if (stored === undefined || !isFound(stored)) return false;
      await transaction.run("INSERT INTO wipe_due VALUES (1) ON CONFLICT DO NOTHING");
      await rewriteSession(transaction, stored, scrub);
      await forgetDigests(transaction, [stored.key]);
      return true;
    });
  }

  #nameProjects(scrub: Scrub): Promise<number> {
    return this.#driver.transaction(async (transaction) => {
      const rows = await transaction.all("SELECT key, name FROM project");
      const changed = rows.filter(([, name]) => scrub(name as string) !== name);
      for (const [key, name] of changed) {
        await transaction.run("INSERT INTO wipe_due VALUES (1) ON CONFLICT DO NOTHING");
        await transaction.run("UPDATE project SET name = ? WHERE key = ?", [
          scrub(name as string),
          key ?? null,
        ]);
        const sql = "SELECT session_key FROM session_head WHERE project_key = ?";
        const sessions = await transaction.all(sql, [key ?? null]);
        await forgetDigests(
          transaction,
          sessions.map(([session]) => session as number),
        );
      }
      return changed.length;
    });
  }

  /** Until then what was replaced can still be found in the files of the store, also after an earlier scrub. */
  async wipe(): Promise<boolean> {
    if ((await this.#driver.all(askWipeDue)).length === 0) return true;
    await rewriteIndex(this.#driver);
    if (!(await this.#driver.wipe(wiped))) return false;
    await this.#driver.run("DELETE FROM wipe_due");
    return true;
  }
}

/** The tables that hold texts. */
const wiped = [
  ...["body", "session", "project", "inbox", "ingestion"],
  ...["search_document", "search_progress", "search_word", "session_digest"],
];

interface Tally {
  entries: number;
  readonly sessions: Set<SessionId>;
  readonly damaged: Set<SessionId>;
}

function add(tally: Tally, batch: ReplacedBatch): void {
  tally.entries += batch.entries;
  for (const session of batch.sessions) tally.sessions.add(session);
  for (const session of batch.damaged) tally.damaged.add(session);
}

function toChange(body: StoredBody, pattern: TextPattern, scrub: Scrub): readonly BodyChange[] {
  const text = scrubText(body, pattern, scrub);
  return typeof text === "string" ? [] : [{ key: body.key, scrubbedHash: body.scrubbedHash, ...text }];
}

/** How many entries are looked at at once; of each only names and keys are read. */
const batchSize = 5000;

/** Looks for a pattern in all bodies, entries, sessions and projects. */
async function findMatches(
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
