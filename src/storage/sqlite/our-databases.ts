/** "CARY": what marks a database file as ours. */
export const applicationId = 0x43415259;

/** The first SQLite without the WAL-reset bug, which can corrupt a database that two connections write. */
const oldestSqlite = [3, 51, 3] as const;

/** Tells whether a version of SQLite may write a database that others write too. */
export function isFitSqlite(version: string | undefined): boolean {
  const found = (version ?? "0").split(".").map(Number);
  const difference =
    oldestSqlite.map((part, index) => (found[index] ?? 0) - part).find((each) => each !== 0) ?? 0;
  return difference >= 0;
}
