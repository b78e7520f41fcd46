import pg from "pg";
import { AppError } from "../../lib/app-error.ts";
import { parseStoreUrl, type StoreUrl } from "./parse-store-url.ts";
import { isRetryable, toStoreError } from "./postgres-errors.ts";

/** Everything has an end: a server that hangs must not hang us. */
export interface Deadlines {
  readonly connectMs: number;
  /** How long the server may work on one statement. */
  readonly statementMs: number;
  /** How long a statement may wait for another writer. */
  readonly lockMs: number;
  /** How long we wait for an answer: longer than the server does, since its own error says more. */
  readonly queryMs: number;
  readonly idleInTransactionMs: number;
}

export const usualDeadlines: Deadlines = {
  connectMs: 2500,
  statementMs: 15_000,
  lockMs: 10_000,
  queryMs: 20_000,
  idleInTransactionMs: 30_000,
};

/** PostgreSQL gives 64-bit integers as text; ours are all far below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

export interface OpenPool {
  readonly pool: pg.Pool;
  /** What messages may call the store. */
  readonly where: string;
}

/** Connects to PostgreSQL, makes the schema where there is none, and makes sure that a commit is on disk. */
export async function openPool(address: string, schema: string, deadlines: Deadlines): Promise<OpenPool> {
  const url = parseStoreUrl(address);
  const pool = new pg.Pool(toPoolConfig(url, schema, deadlines));
  // A connection that breaks while nobody uses it is replaced at the next use.
  pool.on("error", () => undefined);
  try {
    await makeSchema(pool, schema);
    const { rows } = await pool.query("SHOW synchronous_commit");
    if (rows[0]?.synchronous_commit !== "on") throw notDurable(url.shown);
    return { pool, where: url.shown };
  } catch (error) {
    await pool.end();
    throw toStoreError(error, url.shown);
  }
}

/** Of several that make it at once, PostgreSQL tells all but one that it is there, which is as good. */
async function makeSchema(pool: pg.Pool, schema: string): Promise<void> {
  try {
    await pool.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  } catch (error) {
    if (!isRetryable(error)) throw error;
  }
}

function toPoolConfig(url: StoreUrl, schema: string, deadlines: Deadlines): pg.PoolConfig {
  return {
    host: url.host,
    port: url.port,
    database: url.database,
    ...(url.user === undefined ? {} : { user: url.user }),
    ...(url.password === undefined ? {} : { password: url.password }),
    ssl: url.ssl,
    types,
    max: 4,
    application_name: "carryon",
    pipeline: true,
    connectionTimeoutMillis: deadlines.connectMs,
    query_timeout: deadlines.queryMs,
    statement_timeout: deadlines.statementMs,
    lock_timeout: deadlines.lockMs,
    idle_in_transaction_session_timeout: deadlines.idleInTransactionMs,
    options: `-c synchronous_commit=on -c search_path=${schema}`,
    allowExitOnIdle: true,
  };
}

function notDurable(where: string): AppError {
  return new AppError(`The store ${where} does not wait for the disk at a commit.`, {
    kind: "config",
    code: "not-durable",
    hint: "Set synchronous_commit to on for this user and database.",
  });
}
