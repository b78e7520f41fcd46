export type SqlValue = null | number | string | Uint8Array;
/** The columns of a row in the order of the select list. */
export type Row = readonly SqlValue[];

/** Runs statements with `?` placeholders. */
export interface SqlRunner {
  readonly dialect: Dialect;
  /** Returns the rows that a statement answers with. */
  all(sql: string, params?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Returns how many rows a statement changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
}

/** A statement and the values for its placeholders. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/**
 * When a transaction is on disk: when it has ended, unless told otherwise, or at the next `flush` at the latest.
 *
 * One that waits for `flush` survives the death of its process, but not a power cut; what came before it always does.
 */
export type Durability = "at-once" | "at-flush";

/** What differs between the engines in the text of a statement. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  /** The type of a key that the engine counts up itself. */
  readonly serialKey: string;
  readonly integer: string;
  readonly bytes: string;
  /** What follows a table that is stored in the order of its primary key. */
  readonly clustered: string;
  /** What follows a select of session heads (h) that a transaction is about to change. */
  readonly lockHead: string;
  /** Lets nobody else work on the sessions that other stores know by an id until the transaction ends; null where nobody else writes meanwhile. */
  readonly familyLock: string | null;
  /** The time of the store in milliseconds since 1970: leases of several machines run out by one clock. */
  readonly nowMs: string;
}

/**
 * The seam between the one SQL implementation and the engines.
 *
 * Each engine makes sure that a transaction is as durable as was asked for, that statements outside see none that is
 * unfinished, and that every failure is an `AppError`.
 */
export interface SqlDriver extends SqlRunner, AsyncDisposable {
  /** The number of the newest migration that the database has seen. */
  readonly version: {
    /** Waits until no other program migrates the database, and keeps others from it until the transaction ends. */
    lock(transaction: SqlRunner): Promise<void>;
    read(runner: SqlRunner): Promise<number>;
    write(runner: SqlRunner, version: number): Promise<void>;
  };
  /**
   * Runs statements in one transaction if each of them changes exactly one row, otherwise none of them; tells which.
   *
   * Costs less than `transaction`, since nothing has to be waited for in between.
   */
  runEach(statements: readonly Statement[]): Promise<boolean>;
  /** Runs the work in one transaction that may write; it begins with the write lock and ends all or nothing. */
  transaction<Result>(
    work: (transaction: SqlRunner) => Promise<Result>,
    durability?: Durability,
  ): Promise<Result>;
  /** Returns after all transactions are on disk. */
  flush(): Promise<void>;
  /**
   * Rewrites the files of these tables, so that what was overwritten or deleted is not found in them any more.
   *
   * Tells whether it could: others may be reading what is to go, or this user may lack the right.
   */
  wipe(tables: readonly string[]): Promise<boolean>;
}
