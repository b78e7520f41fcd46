import { open } from "node:fs/promises";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { unlessGone } from "../../lib/app-error.ts";
import { monotonicMs } from "../../lib/clock.ts";
import type { Dialect, Durability, Row, SqlDriver, SqlRunner, SqlValue, Statement } from "../sql-driver.ts";
import { StoreIsCorrupt, StoreIsGone, storeFailed } from "../store-errors.ts";
import { openForWriting } from "./open-connection.ts";
import { isBusy, isFatal, isSqliteError, toStoreError } from "./sqlite-errors.ts";
import { isSameFile, readFileState, WatchedFile } from "./watched-file.ts";

const dialect: Dialect = {
  name: "sqlite",
  serialKey: "INTEGER PRIMARY KEY",
  integer: "INTEGER",
  bytes: "BLOB",
  clustered: " WITHOUT ROWID",
  // The transaction has the whole store.
  lockHead: "",
  familyLock: null,
  nowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
};

const version: SqlDriver["version"] = {
  // The transaction has the whole store.
  lock: async () => undefined,
  read: async (runner) => Number((await runner.all("PRAGMA user_version"))[0]?.[0] ?? 0),
  write: async (runner, number) => void (await runner.run(`PRAGMA user_version = ${Math.trunc(number)}`)),
};

export interface SqliteDriverOptions {
  readonly path: string;
  /** How long a transaction waits for other processes before it gives up. */
  readonly busyDeadlineMs: number;
  /** The file that the connection has open: what is written is acknowledged only while the path leads to it. */
  readonly file?: WatchedFile;
}

/** How long it waits for readers of what is to be wiped; some read for hours. */
const wipePatienceMs = 2000;

/** Drives one connection of `node:sqlite`; work of several callers in this process is done one after another. */
export class SqliteDriver implements SqlDriver {
  readonly dialect = dialect;
  readonly version = version;
  readonly #db: DatabaseSync;
  readonly #options: SqliteDriverOptions;
  readonly #reads = new Map<string, StatementSync>();
  readonly #writes = new Map<string, StatementSync>();
  readonly #runner: SqlRunner;
  #queue: Promise<unknown> = Promise.resolve();
  #failure: unknown;
  /** What SQLite calls the content as of the last transaction here; a commit by another connection changes it. */
  #dataVersion: unknown;

  constructor(db: DatabaseSync, options: SqliteDriverOptions) {
    this.#db = db;
    this.#options = options;
    db.exec("PRAGMA busy_timeout = 20");
    if (options.file !== undefined) this.#dataVersion = this.#readDataVersion();
    this.#runner = {
      dialect,
      all: async (sql, params = []) => this.#prepare(sql).all(...params) as unknown as readonly Row[],
      run: async (sql, params = []) => Number(this.#prepare(sql, this.#writes).run(...params).changes),
    };
  }

  all(sql: string, params?: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#inTurn(() => this.#patiently(() => this.#runner.all(sql, params)));
  }

  run(sql: string, params?: readonly SqlValue[]): Promise<number> {
    return this.#inTurn(() => this.#inPlace(() => this.#patiently(() => this.#runner.run(sql, params))));
  }

  transaction<Result>(
    work: (transaction: SqlRunner) => Promise<Result>,
    durability: Durability = "at-once",
  ): Promise<Result> {
    if (durability === "at-once") return this.#inTurn(() => this.#transact(work));
    return this.#inTurn(async () => {
      await this.#runner.run("PRAGMA synchronous = NORMAL");
      try {
        return await this.#transact(work);
      } finally {
        await this.#runner.run("PRAGMA synchronous = FULL");
      }
    });
  }

  /** What is no more in the WAL was on disk before it was moved to the database. */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#inPlace(() => this.#syncWal()));
  }

  async #syncWal(): Promise<void> {
    // SQLite locks the other two files; closing one of those here would lose its locks.
    const wal = await unlessGone(open(`${this.#options.path}-wal`, "r+"));
    try {
      await wal?.sync();
    } catch (error) {
      // What is on disk is unknown now.
      this.#failure = error;
      throw storeFailed(this.#options.path, "what was written did not reach the disk", error);
    } finally {
      await wal?.close();
    }
  }

  runEach(statements: readonly Statement[]): Promise<boolean> {
    return this.#inTurn(async () => {
      await this.#begin();
      try {
        this.#enter();
        const isDone = statements.every(
          ({ sql, params }) => this.#prepare(sql, this.#writes).run(...params).changes === 1n,
        );
        this.#prepare(isDone ? "COMMIT" : "ROLLBACK", this.#writes).run();
        this.#options.file?.requireInPlace();
        return isDone;
      } catch (error) {
        await this.#rollback();
        throw error;
      }
    });
  }

  /** SQLite has one file for all tables. Freed space is zeroed at once, but pages that were rearranged keep stray copies. */
  wipe(): Promise<boolean> {
    return this.#inTurn(() => this.#inPlace(() => this.#rewrite()));
  }

  async #rewrite(): Promise<boolean> {
    await this.#patiently(() => this.#runner.run("VACUUM"));
    const deadline = monotonicMs() + wipePatienceMs;
    for (;;) {
      const [checkpoint] = await this.#runner.all("PRAGMA wal_checkpoint(TRUNCATE)");
      if (checkpoint?.[0] === 0) return true;
      if (monotonicMs() >= deadline) return false;
      await sleep(50);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.catch(() => undefined);
    if (this.#db.isOpen) this.#leaveOtherFile();
    this.#reads.clear();
    this.#writes.clear();
    if (!this.#db.isOpen) return;
    if (this.#options.file === undefined) this.#db.close();
    else this.#options.file.close(this.#db);
  }

  async #transact<Result>(work: (transaction: SqlRunner) => Promise<Result>): Promise<Result> {
    await this.#begin();
    try {
      this.#enter();
      const result = await work(this.#runner);
      await this.#runner.run("COMMIT");
      this.#options.file?.requireInPlace();
      return result;
    } catch (error) {
      await this.#rollback();
      throw error;
    }
  }

  /** Takes the write lock at once: a deferred transaction that reads first can fail at its first write. */
  async #begin(): Promise<void> {
    if (this.#options.file?.gone !== undefined) throw this.#options.file.gone;
    await this.#patiently(() => this.#runner.run("BEGIN IMMEDIATE"));
  }

  /** Begins to write in a transaction; nobody else can until it ends. */
  #enter(): void {
    this.#options.file?.requireInPlace();
    if (this.#options.file !== undefined) this.#dataVersion = this.#readDataVersion();
  }

  async #inPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#options.file?.requireInPlace();
    const result = await work();
    this.#options.file?.requireInPlace();
    return result;
  }

  /**
   * Tries again while other connections are in the way.
   *
   * SQLite waits for a lock without letting this process do anything else, not even end the transaction of another
   * connection that holds it. So it waits there only for moments, and here in between.
   */
  async #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    const deadline = monotonicMs() + this.#options.busyDeadlineMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || monotonicMs() >= deadline) throw error;
        await sleep(1 + Math.random() * 20);
      }
    }
  }

  /**
   * Moves what is in the WAL to the file that it belongs to, and empties it, when another file has the name of the store:
   * SQLite would take it for a part of that one. (It finds by itself that the file was renamed, and merges nothing when it closes.)
   *
   * Where another connection has committed since, that may have been to the new file, and everything is left as it is.
   */
  #leaveOtherFile(): void {
    try {
      if (this.#options.file?.isReplaced() !== true) return;
      if (this.#readDataVersion() === this.#dataVersion) this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // That the file is gone is what the caller is told; nothing worse follows from this.
    }
  }

  #readDataVersion(): unknown {
    return (this.#prepare("PRAGMA data_version").get() as Row | undefined)?.[0];
  }

  async #rollback(): Promise<void> {
    try {
      if (this.#db.isTransaction) await this.#runner.run("ROLLBACK");
    } catch (error) {
      // The failure that led here is the one to report; a connection that cannot roll back is not used again.
      this.#failure ??= error;
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(() => this.#guarded(work));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#failure !== undefined) {
      throw storeFailed(this.#options.path, "it failed before and was not opened again", this.#failure);
    }
    try {
      return await work();
    } catch (error) {
      if (error instanceof StoreIsGone) this.#leaveOtherFile();
      if (isSqliteError(error) && isFatal(error)) this.#failure = error;
      const known = toStoreError(error, this.#options.path);
      // A file that was overwritten seems to be damaged; that it was is what helps.
      if (known instanceof StoreIsCorrupt) this.#options.file?.requireInPlace();
      throw known;
    }
  }

  #prepare(sql: string, statements = this.#reads): StatementSync {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    // `run` also returns the last row number of the connection; those of FTS5 are too large for a number.
    if (statements === this.#writes) statement.setReadBigInts(true);
    statements.set(sql, statement);
    return statement;
  }
}

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
