import { StoreIsGone } from "../store-errors.ts";
import { openForWriting } from "./open-connection.ts";
import { SqliteDriver } from "./sqlite-driver.ts";
import { isSameFile, readFileState, WatchedFile } from "./watched-file.ts";

const busyDeadlineMs = 30_000;

/** An overlay gives a file another number when it is first opened for writing. */
const mostTries = 10;

/** Opens a database for writing; nothing that is written there is acknowledged once its name leads to another file, or to none. */
export async function openWatched(path: string): Promise<SqliteDriver> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const before = readFileState(path);
    const db = await openForWriting(path);
    const file = readFileState(path);
    // SQLite does not say which file it has opened: it is the one that had the name before and has it afterwards.
    if (file !== undefined && isSameFile(before, file))
      return new SqliteDriver(db, { path, busyDeadlineMs, file: new WatchedFile(path, file) });
    db.close();
  }
  throw new StoreIsGone(path, "replaced");
}
