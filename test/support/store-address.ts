import { openStore, type Store } from "../../src/storage/open-store.ts";
import { type Deadlines, usualDeadlines } from "../../src/storage/postgres/deadlines.ts";

/** The key of every PostgreSQL store of the tests; on SQLite each home folder has its own. */
export const testKey = new Uint8Array(32).fill(7);

/** A busy machine may need longer to open a store than a person would wait. */
export const patientDeadlines: Deadlines = { ...usualDeadlines, openMs: 60_000 };

export function isPostgres(address: string): boolean {
  return address.startsWith("postgres:");
}

/** Opens the store at an address: a home folder, or the URL of a PostgreSQL database. */
export async function openAddress(address: string): Promise<Store> {
  if (!isPostgres(address)) return openStore(address);
  // Writers on SQLite start sooner without it.
  const { openPostgres } = await import("../../src/storage/postgres/open-postgres.ts");
  return openPostgres(address, testKey, undefined, patientDeadlines);
}
