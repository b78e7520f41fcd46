import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findChildPids } from "./child-pids.ts";
import { type Cluster, makeCluster } from "./postgres-cluster.ts";

export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Sends a signal to the server's first process and then to all that it has started. */
  signalAll(signal: NodeJS.Signals): Promise<void>;
  /** Ends the server's first process with a signal; those that it has started notice by themselves. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts a server that has ended again, on the same data and port. */
  restart(): Promise<void>;
}

interface StartOptions {
  readonly maxConnections?: number;
  /** Settings of PostgreSQL beside the usual ones: `name=value`. */
  readonly settings?: readonly string[];
}

/** For a server that nobody kills: nothing is synced or tidied up, and nothing is compiled for a query that runs once. */
export const quickSettings = [
  ...[
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
  ],
  ...["autovacuum=off", "jit=off", "max_parallel_workers=0"],
];

/** Starts a throwaway PostgreSQL from npm's binaries on a free port of this machine. */
export async function startPostgres({
  maxConnections = 200,
  settings: more = [],
}: StartOptions = {}): Promise<PostgresServer> {
  const cluster = await makeCluster();
  const port = await findFreePort();
  const url = `postgres://carryon@127.0.0.1:${port}/postgres`;
  const settings = [`port=${port}`, `max_connections=${maxConnections}`, ...more];
  let server = await startUntilReady(cluster, settings, url);
  const kill = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    await ended(server);
  };
  const signalAll = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    for (const pid of await findChildPids(server.pid ?? 0)) sendSignal(pid, signal);
  };
  return {
    url,
    kill,
    signalAll,
    restart: async () => {
      await ended(server);
      server = await startUntilReady(cluster, settings, url);
    },
    [Symbol.asyncDispose]: async () => {
      // One that stands still could not end.
      await signalAll("SIGCONT");
      await kill("SIGQUIT");
      await rm(cluster.folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Sends a signal to a process that may have ended in the meantime. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

const base = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  // After a crash every file is synced, which takes longer one by one.
  ...(process.platform === "linux" ? ["recovery_init_sync_method=syncfs"] : []),
];

/** A server refuses to start while processes of the one before it still run. */
async function startUntilReady(
  { folder, data, options }: Cluster,
  settings: readonly string[],
  url: string,
): Promise<ChildProcess> {
  const program = join(folder, "native", "bin", "postgres");
  const args = ["-D", data, ...[...base, ...settings].flatMap((each) => ["-c", each])];
  let server: ChildProcess | undefined;
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (server === undefined || hasEnded(server)) {
      server = spawn(program, args, { ...options, stdio: "ignore" });
    }
    if (await answers(url)) return server;
    await sleep(50);
  }
  server?.kill("SIGKILL");
  throw new Error("PostgreSQL did not start.");
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    // Nobody listens yet, or the server says that it is starting.
    return false;
  }
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}

async function ended(server: ChildProcess): Promise<void> {
  if (!hasEnded(server)) await new Promise((resolve) => server.once("exit", resolve));
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return address.port;
}
