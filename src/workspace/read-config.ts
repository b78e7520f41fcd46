import type { Stats } from "node:fs";
import { lstat, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { configError, isSystemError } from "../lib/app-error.ts";
import { readFailed, refuseSpecialFile } from "../lib/file-error.ts";
import type { SettingReaders, Settings } from "./parse-config.ts";

/**
 * Reads some settings of config.yaml of a home folder; one that is not there or empty sets nothing.
 *
 * One with a password or key that others can read is refused, as ssh does with a key and libpq with a password file: whoever
 * could read it may have done so, and a warning would be overlooked. So is one with commands that others can change.
 */
export async function readConfig<const Readers extends SettingReaders>(
  home: string,
  loadReaders: () => Readers | Promise<Readers>,
): Promise<Settings<Readers>> {
  const path = join(home, "config.yaml");
  const { text, stats } = await readIfThere(path);
  if (text.trim() === "") return {};
  // Loaded here, so that nobody pays for YAML who has no configuration.
  const { parseConfig } = await import("./parse-config.ts");
  const { settings, secret, hasCommands } = parseConfig(text, path, await loadReaders());
  if (secret !== undefined && isOpenToOthers(stats, 0o077))
    throw configError("config-exposed", `Other users can read ${path}, which holds a ${secret}.`, {
      hint: `Run \`chmod go= ${path}\`, and change the ${secret} if they may have read it.`,
    });
  if (hasCommands && isOpenToOthers(stats, 0o022))
    throw configError("config-exposed", `Other users can change ${path}, which holds commands to run.`, {
      hint: `Look through it, and run \`chmod go-w ${path}\``,
    });
  return settings;
}

interface ConfigFile {
  readonly text: string;
  readonly stats?: Stats;
}

async function readIfThere(path: string): Promise<ConfigFile> {
  try {
    const stats = await stat(path);
    refuseSpecialFile(path, stats);
    return { text: await readFile(path, "utf8"), stats };
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR") && !(await isLink(path))) return { text: "" };
    throw readFailed(path, error);
  }
}

/** A link that leads nowhere was meant to say something: without it the store would be another one. */
async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}

function isOpenToOthers(stats: Stats | undefined, permissions: number): boolean {
  return process.platform !== "win32" && ((stats?.mode ?? 0) & permissions) !== 0;
}
