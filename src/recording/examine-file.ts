import { statSync } from "node:fs";
import { join } from "node:path";
import { type Client, type FileFacts, type FileHealth, faults, type NativePath } from "../clients/client.ts";
import { unlessFailed } from "../lib/app-error.ts";
import { readFailed } from "../lib/file-error.ts";
import { readRawLines } from "../lib/line-splitter.ts";
import { readText } from "../lib/read-text.ts";

/** A file of a session, in a folder of its client. */
export interface FoundFile extends NativePath {
  readonly folder: string;
}

/** A file as it was when it was examined. */
export interface ExaminedFile extends FoundFile {
  readonly health: FileHealth;
  /** The size and the inode that it had, and when it was written to: other ones mean that it has changed since. */
  readonly mark: string;
}

/** Longer lines are never held in memory. */
const longestLine = 64_000_000;

/** Examines a file of a client with the rows that the store would write into it; changes nothing. */
export async function examineFile(
  client: Client,
  found: FoundFile,
  rows: FileFacts["rows"] = [],
): Promise<ExaminedFile> {
  const { path, folder } = found;
  // A mistake in them is not ours to tell.
  const settings = await unlessFailed(readText(join(folder, client.settings)), undefined);
  try {
    const { size, mtime, mtimeMs, ino } = statSync(path);
    const health = client.check(readRawLines(path, longestLine), { ...found, mtime, settings, rows });
    return { ...found, health, mark: `${ino} ${size} ${mtimeMs}` };
  } catch (error) {
    throw readFailed(path, error);
  }
}

/** Names faults with where they are. */
export function describeFaults(found: FileHealth["faults"]): string {
  return found
    .map(
      ({ fault, count, line }) =>
        `${faults[fault]} (${count === 1 ? "" : `${count} times, first in `}line ${line})`,
    )
    .join(", ");
}

/** Returns the faults because of which something is missed, or taken twice. */
export function findDamage({ faults: found }: Pick<FileHealth, "faults">): FileHealth["faults"] {
  return found.filter(({ fault }) => fault !== "line-separator");
}

const weekMs = 7 * 86_400_000;

export type Expiring<File> = File & { readonly deletedAt: Date };

/** Tells whether a client deletes a file within a week. */
export function isExpiring<File extends Pick<FileHealth, "deletedAt">>(
  file: File,
  now: Date,
): file is Expiring<File> {
  return file.deletedAt !== undefined && file.deletedAt.getTime() - now.getTime() < weekMs;
}
