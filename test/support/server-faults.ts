import { setTimeout as sleep } from "node:timers/promises";
import { ask, findBackends, makeDatabase } from "./postgres-database.ts";
import { type PostgresServer, sendSignal } from "./postgres-server.ts";
import { findProblems, type Problem } from "./store-audit.ts";
import { startWriter, type Writer } from "./store-writers.ts";

/** What may happen to a PostgreSQL server while it is written to; afterwards it runs. */
export const serverFaults = {
  "one of its processes is killed": async (_: PostgresServer, url: string) =>
    sendSignal(await chooseBackend(url), "SIGKILL"),
  "it ends a connection": async (_: PostgresServer, url: string) => {
    await ask(url, `SELECT pg_terminate_backend(${await chooseBackend(url)})`);
  },
  "its first process is killed": async (server: PostgresServer) => {
    await server.kill("SIGKILL");
    await server.restart();
  },
  "all its processes are killed": async (server: PostgresServer) => {
    await server.signalAll("SIGKILL");
    await server.restart();
  },
  "it is stopped at once": async (server: PostgresServer) => {
    await server.kill("SIGQUIT");
    await server.restart();
  },
  "it stands still for a moment": async (server: PostgresServer) => {
    await server.signalAll("SIGSTOP");
    await sleep(100);
    await server.signalAll("SIGCONT");
  },
} as const;

export type ServerFault = keyof typeof serverFaults;

export interface Disturbance {
  readonly faults: number;
  readonly receipts: number;
  /** How the writers ended. */
  readonly exits: readonly (number | NodeJS.Signals | null)[];
  /** The errors that they met, each once. */
  readonly errors: readonly string[];
  /** How many of them they met. */
  readonly setbacks: number;
  readonly problems: readonly Problem[];
}

/**
 * Lets writers append to a server while one fault after another happens to it, and checks what it has in the end.
 *
 * Half of the writers share a session. After each fault every one of them has to get on.
 */
export async function disturb(
  server: PostgresServer,
  { faults, writers: count }: { readonly faults: readonly ServerFault[]; readonly writers: number },
): Promise<Disturbance> {
  await using database = await makeDatabase(server.url);
  const writers = Array.from({ length: count }, (_, index) =>
    startWriter(database.url, index % 2 === 0 ? "shared" : `own-${index}`, `w${index}-`, Infinity, "go-on"),
  );
  const ends = writers.map((writer) => writer.ended());
  for (const fault of faults) {
    await progress(writers, ends);
    await sleep(Math.random() * 50);
    await serverFaults[fault](server, database.url);
  }
  await progress(writers, ends);
  for (const writer of writers) writer.child.end();
  const exits = await Promise.all(ends);
  const errors = writers.flatMap((writer) => writer.errors);
  return {
    faults: faults.length,
    receipts: writers.reduce((sum, writer) => sum + writer.receipts.length, 0),
    exits,
    errors: [...new Set(errors)],
    setbacks: errors.length,
    problems: await findProblems(database.url, writers),
  };
}

/** Returns when every writer has written something since, or one has ended. */
async function progress(writers: readonly Writer[], ends: readonly Promise<unknown>[]): Promise<void> {
  let isOver = false;
  void Promise.race(ends).then(() => {
    isOver = true;
  });
  // The first receipt may have been on its way before.
  const enough = writers.map((writer) => writer.receipts.length + 2);
  while (!isOver && writers.some((writer, index) => writer.receipts.length < (enough[index] ?? 0))) {
    await sleep(5);
  }
}

async function chooseBackend(url: string): Promise<number> {
  const pids = await findBackends(url);
  const pid = pids[Math.floor(Math.random() * pids.length)];
  if (pid === undefined) throw new Error("No writer has a connection.");
  return pid;
}
