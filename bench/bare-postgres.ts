import pg from "pg";

/** What `pgbench` would do: one row, one prepared statement, one commit that is waited for. */
export class BarePostgres implements AsyncDisposable {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<BarePostgres> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("SET synchronous_commit = on");
    await client.query(
      "CREATE TABLE IF NOT EXISTS message (key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body TEXT NOT NULL)",
    );
    return new BarePostgres(client);
  }

  async append(body: string): Promise<void> {
    await this.#client.query({
      name: "insert",
      text: "INSERT INTO message (body) VALUES ($1)",
      values: [body],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}
