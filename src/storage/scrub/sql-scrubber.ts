import type { TextPattern } from "../../redaction/text-pattern.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { Scrubber, Scrubbing, ScrubFinding } from "../../sessions/scrubber.ts";
import { forgetDigests } from "../digests/forget-digests.ts";
import { type Guard, makeGuard } from "../guard.ts";
import { rewriteIfDue, scrubIndex } from "../search/reindex.ts";
import { readStored, type StoredSession } from "../session-row.ts";
import type { SqlDriver } from "../sql-driver.ts";
import { askWipeDue } from "../wipe-due.ts";
import { findMatches } from "./find-matches.ts";
import { readBodies, type StoredBody } from "./read-bodies.ts";
import { readSessions } from "./read-sessions.ts";
import { type BodyChange, type ReplacedBatch, replaceBodies } from "./replace-bodies.ts";
import { findDescribed, rewriteSession } from "./rewrite-session.ts";
import { scrubPending } from "./scrub-pending.ts";
import { makeScrub, type Scrub, scrubText } from "./scrub-text.ts";

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
    await rewriteIfDue(this.#driver);
    if (!(await this.#driver.wipe(wiped))) return false;
    await this.#driver.run("DELETE FROM wipe_due");
    return true;
  }
}

/** The tables that hold texts. */
const wiped = [
  ...["body", "session", "project", "inbox", "ingestion"],
  ...["search_document", "search_progress", "session_digest"],
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
