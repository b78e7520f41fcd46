import { AppError } from "../lib/app-error.ts";
import { makeFolder, readKeyOrNone, readOrMakeKey } from "./home-folder.ts";
import { inspectHome } from "./inspect-home.ts";
import { schemaVersion } from "./migrate.ts";
import type { Store } from "./open-store.ts";
import { orphans } from "./orphans.ts";
import type { StoreUrl } from "./parse-store-url.ts";
import { openDriver } from "./postgres/open-driver.ts";
import { openForReading, openForWriting } from "./postgres/open-postgres.ts";
import type { SqlRunner } from "./sql-driver.ts";
import { type Problem, type StoreReport, toProblem } from "./store-report.ts";
import type { StoreSite } from "./store-site.ts";
import { askWipeDue, wipeDue } from "./wipe-due.ts";

/** Looks at what can be wrong with a store on PostgreSQL and with the home folder; changes nothing and never throws for what it finds. */
export async function inspectPostgres(url: StoreUrl, home: string, schema: string): Promise<StoreReport> {
  const ofHome = await inspectHome(home);
  const unknown: StoreReport = {
    ...{ path: url.shown, exists: true, bytes: 0, walBytes: 0, freeBytes: Number.POSITIVE_INFINITY },
    ...{ schema: null, sqlite: null, postgres: null, sessions: null, problems: ofHome },
  };
  try {
    const found = await inspectServer(url, schema);
    return { ...unknown, ...found, problems: [...ofHome, ...found.problems] };
  } catch (error) {
    if (error instanceof AppError) return { ...unknown, problems: [...ofHome, toProblem(error)] };
    throw error;
  }
}

type Found = Partial<StoreReport> & Pick<StoreReport, "problems">;

async function inspectServer(url: StoreUrl, schema: string): Promise<Found> {
  const { driver, server, version } = await openDriver(url, schema);
  try {
    if (version === 0) return { exists: false, postgres: server, problems: [] };
    return {
      ...{
        schema: version,
        postgres: server,
        bytes: await readSize(driver),
        sessions: await countSessions(driver),
      },
      problems: [
        ...(await findProblems(driver)),
        ...(version === schemaVersion && (await driver.all(askWipeDue)).length > 0 ? [wipeDue] : []),
      ],
    };
  } finally {
    await driver[Symbol.asyncDispose]();
  }
}

async function readSize(runner: SqlRunner): Promise<number> {
  const rows = await runner.all(
    "SELECT CAST(coalesce(sum(pg_total_relation_size(oid)), 0) AS BIGINT) FROM pg_class WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())",
  );
  return Number(rows[0]?.[0]);
}

async function countSessions(runner: SqlRunner): Promise<number> {
  return Number((await runner.all("SELECT count(*) FROM session_head WHERE deleted_ms IS NULL"))[0]?.[0]);
}

async function findProblems(runner: SqlRunner): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const { sql, what } of orphans) {
    if ((await runner.all(sql)).length === 0) continue;
    const hint = "Make a copy with pg_dump first; `carryon verify` says which sessions are whole.";
    problems.push({ what: `The database is damaged: ${what}.`, hint });
  }
  return problems;
}

/** The schema that holds the store; everything else in the database belongs to others. */
const schema = "carryon";

/** Returns the site of a store on PostgreSQL; the home folder has nothing of it but the key. */
export function postgresSite(url: StoreUrl, home: string): StoreSite {
  const open = async (): Promise<Store> => {
    await makeFolder(home);
    return openForWriting(url, await readOrMakeKey(home), schema);
  };
  return {
    path: url.shown,
    open,
    openForReading: async () => (await openForReading(url, await readKeyOrNone(home), schema)) ?? open(),
    inspect: () => inspectPostgres(url, home, schema),
    file: undefined,
  };
}
