import { openForWriting, readPragma } from "./open-connection.ts";
import { toStoreError } from "./sqlite-errors.ts";

/** Gives free pages back to the disk when they are at least a fifth of the file; returns how many bytes that were. */
export async function compactStore(path: string): Promise<number> {
  const db = await openForWriting(path);
  try {
    const pages = () => Number(readPragma(db, "page_count"));
    const before = pages();
    if (Number(readPragma(db, "freelist_count")) * 5 >= before) db.exec("VACUUM");
    // What was deleted is still in the WAL until it is emptied.
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return (before - pages()) * Number(readPragma(db, "page_size"));
  } catch (error) {
    throw toStoreError(error, path);
  } finally {
    db.close();
  }
}
