import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";

/** A database of its own on a server, gone with its scope. */
export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  /** `host:port/database`, as messages call it. */
  readonly shown: string;
  /** Runs SQL in it behind the back of the store, and returns the rows as arrays. */
  query(sql: string): Promise<readonly (readonly unknown[])[]>;
}

/** Makes an empty database on the PostgreSQL of the tests. */
export function openDatabase(): Promise<TestDatabase> {
  return makeDatabase(inject("postgresUrl"));
}

/** Returns the name of a database or schema that nobody else has. */
export function makeName(): string {
  return `test_${randomBytes(6).toString("hex")}`;
}

/** Makes an empty database on a server. */
export async function makeDatabase(server: string): Promise<TestDatabase> {
  const name = makeName();
  await ask(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    shown: `${url.host}/${name}`,
    query: async (sql) => (await ask(url.href, sql)).map((row) => Object.values(row)),
    [Symbol.asyncDispose]: async () => {
      await ask(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Runs statements on a connection of their own and returns the rows of the last one. */
export async function ask(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results = [await client.query<Record<string, unknown>>(sql)].flat();
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

/** Returns the processes of the server that serve stores in a database. */
export async function findBackends(url: string): Promise<readonly number[]> {
  const rows = await ask(
    url,
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'carryon'",
  );
  return rows.map((row) => Number(row.pid));
}

/** Waits until no store has a connection to a database: the server may still finish what a killed writer asked for. */
export async function awaitQuiet(url: string): Promise<void> {
  while ((await findBackends(url)).length > 0) await sleep(10);
}
