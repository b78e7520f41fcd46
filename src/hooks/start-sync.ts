import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { launchFile } from "../lib/hook-files.ts";

/** How Carryon is started. */
interface Launch {
  readonly node: string;
  readonly launcher: string;
}

export interface SyncRequest {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts `carryon sync` and does not wait for it; does nothing where it is not known how, or what is known has gone. */
export function startSync({ home, cwd, env }: SyncRequest): void {
  const launch = readLaunch(join(home, "bin", launchFile));
  if (launch === undefined) return;
  const child = process
    .getBuiltinModule("node:child_process")
    .spawn(launch.node, [launch.launcher, "sync", "--quiet", "--recorded"], {
      cwd: isFolder(cwd) ? cwd : home,
      detached: true,
      stdio: "ignore",
      windowsHide: true,
      env: { ...env, CARRYON_HOME: home },
    });
  // Sync catches up whenever it is started next.
  child.on("error", () => undefined);
  child.unref();
}

function readLaunch(path: string): Launch | undefined {
  if (!isThere(path)) return undefined;
  const { node, launcher } = (JSON.parse(readFileSync(path, "utf8")) ?? {}) as Partial<Launch>;
  if (typeof node !== "string" || typeof launcher !== "string") return undefined;
  return isThere(node) && isThere(launcher) ? { node, launcher } : undefined;
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
