import { DatabaseSync, type StatementSync } from "node:sqlite";

/** The least that a durable insert can cost: one row, one statement, the settings and the page size of the store. */
export class BareSqlite implements Disposable {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec("PRAGMA page_size = 8192");
    this.#db.exec("PRAGMA journal_mode = WAL");
    this.#db.exec("PRAGMA synchronous = FULL");
    this.#db.exec("CREATE TABLE message (key INTEGER PRIMARY KEY, body TEXT NOT NULL)");
    this.#insert = this.#db.prepare("INSERT INTO message (body) VALUES (?)");
  }

  append(body: string): void {
    this.#insert.run(body);
  }

  /** Appends many, a thousand to a transaction. */
  fill(count: number, make: () => string): void {
    for (let row = 0; row < count; row += 1) {
      if (row % 1000 === 0) this.#db.exec(row === 0 ? "BEGIN" : "COMMIT; BEGIN");
      this.#insert.run(make());
    }
    if (count > 0) this.#db.exec("COMMIT");
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
