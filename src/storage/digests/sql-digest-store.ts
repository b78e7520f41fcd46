import type { DigestStore, KeptDigest, KeptDigests } from "../../sessions/digest-store.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { hasTypes } from "../entry-codec.ts";
import { isUnwritableStore } from "../is-unwritable-store.ts";
import type { Row, SqlDriver, SqlRunner } from "../sql-driver.ts";

/** Sessions that are asked for at once; a statement of one size is prepared once. */
const sessionsAtOnce = 200;

const select = `SELECT s.id, d.version, d.seq, d.body FROM session_digest d JOIN session s ON s.key = d.session_key
  WHERE s.id IN (${Array.from({ length: sessionsAtOnce }, () => "?").join(", ")})`;

const columnTypes = ["text", "integer", "integer", "text"] as const;

/** Keeps digests, over any engine that has a driver. */
export class SqlDigestStore implements DigestStore {
  readonly #driver: SqlDriver;

  constructor(driver: SqlDriver) {
    this.#driver = driver;
  }

  async read(sessions: readonly SessionId[]): Promise<KeptDigests> {
    // First: text that is taken out between the two reads must count as taken out afterwards.
    const revision = await readRevision(this.#driver);
    const digests: KeptDigest[] = [];
    for (let from = 0; from < sessions.length; from += sessionsAtOnce) {
      const some = sessions.slice(from, from + sessionsAtOnce);
      const padding = Array.from({ length: sessionsAtOnce - some.length }, () => "");
      const rows = await this.#driver.all(select, [...some, ...padding]);
      // A damaged one is made anew.
      digests.push(...rows.filter((row) => hasTypes(row, columnTypes)).map(fromRow));
    }
    return { digests, asOf: revision };
  }

  async keep(digests: readonly KeptDigest[], asOf: number): Promise<void> {
    if (digests.length === 0) return;
    const { searchDialect } = await import("../search/choose-dialect.ts");
    const work = async (transaction: SqlRunner) => {
      await searchDialect(transaction).lock(transaction);
      if ((await readRevision(transaction)) !== asOf) return;
      for (const digest of digests) await keepOne(transaction, digest);
    };
    try {
      await this.#driver.transaction(work, "at-flush");
    } catch (error) {
      // Whoever reads next makes them again.
      if (!isUnwritableStore(error)) throw error;
    }
  }

  async clear(): Promise<void> {
    const { beginForgetting } = await import("../search/forget.ts");
    await this.#driver.transaction(async (transaction) => {
      await beginForgetting(transaction);
      await transaction.run("DELETE FROM session_digest");
    });
  }
}

/** Returns how often something was taken out of the store. Most who read digests need nothing else of the search. */
async function readRevision(runner: SqlRunner): Promise<number> {
  const [row] = await runner.all("SELECT revision FROM search_state");
  return (row?.[0] ?? 0) as number;
}

async function keepOne(transaction: SqlRunner, { session, version, seq, body }: KeptDigest): Promise<void> {
  const { integer } = transaction.dialect;
  await transaction.run(
    `INSERT INTO session_digest (session_key, version, seq, body)
     SELECT s.key, CAST(? AS ${integer}), CAST(? AS ${integer}), CAST(? AS TEXT)
     FROM session s JOIN session_head h ON h.session_key = s.key WHERE s.id = ? AND h.deleted_ms IS NULL
     ON CONFLICT (session_key) DO UPDATE SET version = excluded.version, seq = excluded.seq, body = excluded.body
     WHERE (excluded.version, excluded.seq) >= (session_digest.version, session_digest.seq)`,
    [version, seq, body, session],
  );
}

function fromRow([session, version, seq, body]: Row): KeptDigest {
  return {
    session: session as SessionId,
    version: version as number,
    seq: seq as number,
    body: body as string,
  };
}
