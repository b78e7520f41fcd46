import type { SessionId } from "../../conversation/ids.ts";
import type { Scrubber, Scrubbing, ScrubFinding } from "../../conversation/scrubber.ts";
import type { TextPattern } from "../../lib/redaction/text-pattern.ts";
import { type Guard, makeGuard } from "../guard.ts";
import { readStored } from "../session-row.ts";
import type { SqlDriver } from "../sql-driver.ts";
import { askWipeDue } from "../wipe-due.ts";
import { findMatches } from "./find-matches.ts";
import { readBodies } from "./read-bodies.ts";
import { readSessions } from "./read-sessions.ts";
import { type BodyChange, replaceBodies } from "./replace-bodies.ts";
import { findDescribed, rewriteSession } from "./rewrite-session.ts";
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
    const sessions = new Set<SessionId>();
    let entries = 0;
    let seen = 0;
    for await (const bodies of readBodies(this.#driver)) {
      const changes = bodies.flatMap((body): readonly BodyChange[] => {
        const text = scrubText(body, pattern, scrub);
        return typeof text === "string" ? [] : [{ key: body.key, scrubbedHash: body.scrubbedHash, ...text }];
      });
      if (changes.length > 0) {
        const batch = await replaceBodies(this.#driver, this.#guard, changes, at);
        entries += batch.entries;
        for (const session of batch.sessions) sessions.add(session);
      }
      seen += bodies.length;
      onProgress(seen);
    }
    for (const session of await this.#describeSessions(scrub)) sessions.add(session);
    const projectNames = await this.#nameProjects(scrub);
    return { entries, sessions: sessions.size, projectNames, isWiped: await this.#wipe() };
  }

  /** Replaces what describes sessions, each under its lock: an append writes its title back as it has read it. */
  async #describeSessions(scrub: Scrub): Promise<readonly SessionId[]> {
    const changed: SessionId[] = [];
    for await (const stored of readSessions(this.#driver)) {
      if (findDescribed(stored, scrub).length === 0) continue;
      if (await this.#describeSession(stored.session.id, scrub)) changed.push(stored.session.id);
    }
    return changed;
  }

  #describeSession(id: SessionId, scrub: Scrub): Promise<boolean> {
    return this.#driver.transaction(async (transaction) => {
      const stored = await readStored(transaction, id, this.#driver.dialect.lockHead);
      if (stored === undefined || findDescribed(stored, scrub).length === 0) return false;
      await transaction.run("INSERT INTO wipe_due VALUES (1) ON CONFLICT DO NOTHING");
      await rewriteSession(transaction, stored, scrub);
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
      }
      return changed.length;
    });
  }

  /** Until then what was replaced can still be found in the files of the store, also after an earlier scrub. */
  async #wipe(): Promise<boolean> {
    if ((await this.#driver.all(askWipeDue)).length === 0) return true;
    if (!(await this.#driver.wipe(["body", "session", "project"]))) return false;
    await this.#driver.run("DELETE FROM wipe_due");
    return true;
  }
}
