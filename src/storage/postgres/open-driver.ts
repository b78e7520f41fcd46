import type pg from "pg";
import { checkVersion } from "../migrate.ts";
import type { StoreUrl } from "../parse-store-url.ts";
import { type Deadlines, usualDeadlines } from "./deadlines.ts";
import { PostgresDriver } from "./postgres-driver.ts";
import { lacksRight, toStoreError } from "./postgres-errors.ts";

/** A connection to a server, and what was found there. */
export interface OpenDriver {
  readonly driver: PostgresDriver;
  /** The version of the server. */
  readonly server: string;
  /** Whether a commit waits for the disk. */
  readonly isDurable: boolean;
  readonly hasSchema: boolean;
  /** The number of the newest migration; 0 where nothing was recorded yet. */
  readonly version: number;
}

/** Connects to PostgreSQL and looks at what is there, which needs no right to write; makes nothing. */
export async function openDriver(
  url: StoreUrl,
  schema: string,
  deadlines: Deadlines = usualDeadlines,
): Promise<OpenDriver> {
  // Loaded here, so that nobody pays for it who has no store on a server.
  const { Client, Pool, types } = (await import("pg")).default;
  const pool = new Pool({ ...toPoolConfig(url, schema, deadlines), types: toTypes(types) });
  // A connection that breaks while nobody uses it is replaced at the next use.
  pool.on("error", () => undefined);
  const driver = new PostgresDriver(pool, url.shown);
  const opened = limitOpening(pool, Client, deadlines);
  try {
    return { driver, ...(await look(driver, url.shown, schema)) };
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw toStoreError(error, url.shown);
  } finally {
    opened();
  }
}

/** The pool ends an attempt to connect by itself; this ends a connection on which the server then says nothing. */
function limitOpening(pool: pg.Pool, Client: typeof pg.Client, { openMs }: Deadlines): () => void {
  const clients: unknown[] = [];
  pool.on("connect", (client) => clients.push(client));
  const timer = setTimeout(() => {
    // What waits for an answer fails with its connection; an orderly end would wait for the answer too.
    const late = new Error("timeout of opening");
    for (const client of clients) if (client instanceof Client) client.connection.stream.destroy(late);
  }, openMs);
  return () => {
    clearTimeout(timer);
    pool.removeAllListeners("connect");
  };
}

async function look(
  driver: PostgresDriver,
  where: string,
  schema: string,
): Promise<Omit<OpenDriver, "driver">> {
  const rows = await driver.all(
    `SELECT current_setting('server_version'), current_setting('synchronous_commit'),
       (SELECT CAST(has_schema_privilege(oid, 'USAGE') AS INTEGER) FROM pg_namespace WHERE nspname = ?)`,
    [schema],
  );
  const [server, synchronous, mayUse] = rows[0] ?? [];
  if (mayUse === 0) throw lacksRight(where);
  const hasSchema = mayUse === 1;
  return {
    server: String(server),
    isDurable: synchronous === "on",
    hasSchema,
    version: hasSchema ? await checkVersion(driver, driver, where) : 0,
  };
}

/** PostgreSQL gives 64-bit integers as text; ours are all far below 2^53. */
function toTypes(types: typeof pg.types): pg.CustomTypesConfig {
  return {
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format),
  } as pg.CustomTypesConfig;
}

function toPoolConfig(url: StoreUrl, schema: string, deadlines: Deadlines): pg.PoolConfig {
  return {
    host: url.host,
    port: url.port,
    database: url.database,
    ...(url.user === undefined ? {} : { user: url.user }),
    ...(url.password === undefined ? {} : { password: url.password }),
    ssl: url.ssl,
    max: 4,
    application_name: "carryon",
    pipeline: true,
    connectionTimeoutMillis: deadlines.openMs,
    query_timeout: deadlines.queryMs,
    statement_timeout: deadlines.statementMs,
    lock_timeout: deadlines.lockMs,
    idle_in_transaction_session_timeout: deadlines.idleInTransactionMs,
    // Statements are parsed once, but planned for their values: a plan for any words is a bad one for a search.
    options: `-c synchronous_commit=on -c plan_cache_mode=force_custom_plan -c search_path=${schema}`,
    allowExitOnIdle: true,
  };
}
