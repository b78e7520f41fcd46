import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { launchFile } from "../lib/hook-files.ts";

/** How Carryon is started. */
export interface Launch {
  readonly node: string;
  readonly launcher: string;
}

/** Who starts Carryon, and where. */
export interface LaunchSite {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns how Carryon is started; undefined where that is not known, or what is known has gone. */
export function readLaunch(home: string): Launch | undefined {
  const path = join(home, "bin", launchFile);
  if (!isThere(path)) return undefined;
  const { node, launcher } = (JSON.parse(readFileSync(path, "utf8")) ?? {}) as Partial<Launch>;
  if (typeof node !== "string" || typeof launcher !== "string") return undefined;
  return isThere(node) && isThere(launcher) ? { node, launcher } : undefined;
}

/** Returns where Carryon runs when a hook starts it. */
export function placeOf({ home, cwd, env }: LaunchSite) {
  return { cwd: isFolder(cwd) ? cwd : home, env: { ...env, CARRYON_HOME: home }, windowsHide: true };
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
