/** Everything has an end: a server that hangs must not hang us. */
export interface Deadlines {
  /** For all of opening: the name of the host, the connection, TLS, the password and the first questions. */
  readonly openMs: number;
  /** How long the server may work on one statement. */
  readonly statementMs: number;
  /** How long a statement may wait for another writer. */
  readonly lockMs: number;
  /** How long we wait for an answer: longer than the server does, since its own error says more. */
  readonly queryMs: number;
  readonly idleInTransactionMs: number;
}

export const usualDeadlines: Deadlines = {
  openMs: 2000,
  statementMs: 15_000,
  lockMs: 10_000,
  queryMs: 20_000,
  idleInTransactionMs: 30_000,
};
