import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import { readFailed } from "../lib/file-error.ts";

/** Where claude-master keeps its sessions in a project. */
export const sessionsFolder = join(".claude-master", "sessions");

/** A session that claude-master has kept. */
export interface KeptSession {
  readonly id: string;
  readonly path: string;
}

const form = /^session-([A-Za-z0-9][A-Za-z0-9_-]{0,127})\.jsonl?$/;

/** Lists the sessions that claude-master has kept in a folder; links, which may lead anywhere, are passed over. */
export async function listKeptSessions(folder: string): Promise<readonly KeptSession[]> {
  const path = join(folder, sessionsFolder);
  try {
    const folders = [join(folder, ".claude-master"), path];
    const stats = await Promise.all(folders.map((each) => lstat(each)));
    if (!stats.every((each) => each.isDirectory())) return [];
    const entries = await readdir(path, { withFileTypes: true });
    return entries.flatMap((entry) => {
      const id = entry.isFile() ? form.exec(entry.name)?.[1] : undefined;
      return id === undefined ? [] : [{ id, path: join(path, entry.name) }];
    });
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return [];
    throw readFailed(path, error);
  }
}
