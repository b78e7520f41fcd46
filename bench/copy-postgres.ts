import pg from "pg";

/** What is sent to a server, and what comes back, while it copies. */
type Copying = (connection: CopyConnection) => void;

/** The part of a connection of `pg` that copying needs; its types leave it out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A bare table that is filled and read by `COPY`, the fastest way into PostgreSQL. */
export class CopyPostgres implements AsyncDisposable {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<CopyPostgres> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("SET synchronous_commit = on");
    await client.query("CREATE TABLE copied (body TEXT NOT NULL)");
    return new CopyPostgres(client);
  }

  async clear(): Promise<void> {
    await this.#client.query("TRUNCATE copied");
  }

  /** Copies texts into the table, in one transaction. */
  copyIn(texts: readonly string[]): Promise<void> {
    return this.#copy("COPY copied FROM STDIN", (connection) => {
      for (const text of texts) connection.sendCopyFromChunk(Buffer.from(`${escapeCopy(text)}\n`));
      connection.endCopyFrom();
    });
  }

  /** Copies everything out, and forgets it. */
  copyOut(): Promise<void> {
    return this.#copy("COPY copied TO STDOUT", () => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }

  #copy(text: string, send: Copying): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#client.query({
        submit: (connection: unknown) => (connection as CopyConnection).query(text),
        handleCopyInResponse: (connection: CopyConnection) => send(connection),
        handleCopyData: () => undefined,
        handleCommandComplete: () => undefined,
        handleReadyForQuery: () => resolve(),
        handleError: reject,
      } as unknown as pg.Submittable);
    });
  }
}

function escapeCopy(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("\r", "\\r");
}
