import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Client, Fault, FileFacts, FileHealth, NativePath } from "../clients/client.ts";
import { readFailed } from "../lib/file-error.ts";
import { type RawLine, readRawLines } from "../lib/line-splitter.ts";
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
  const settings = await readText(join(found.folder, client.settings));
  return {
    ...found,
    ...readMarked(found.path, (lines, mtime) => client.check(lines, { ...found, mtime, settings, rows })),
  };
}

/** Reads the lines of a file as far as they are there now. */
function readMarked(path: string, check: (lines: Iterable<RawLine>, mtime: Date) => FileHealth) {
  try {
    // Not by promises: whoever examines a store reads thousands of files.
    const file = openSync(path, "r");
    try {
      const { size, mtime, mtimeMs, ino } = fstatSync(file);
      return {
        health: check(readRawLines(file, size, longestLine), mtime),
        mark: `${ino} ${size} ${mtimeMs}`,
      };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw readFailed(path, error);
  }
}

const names: Readonly<Record<Fault, string>> = {
  "nul-bytes": "NUL bytes",
  "line-separator": "unescaped U+2028 or U+2029",
  "raw-newline": "a row broken by a newline",
  "half-row": "half a row",
  "unreadable-line": "an unreadable line",
  "open-call": "a call without a result",
  "lost-parent": "a row whose parent is lost",
  "duplicate-row": "a row that stands twice",
};

/** Names faults with where they are. */
export function describeFaults(faults: FileHealth["faults"]): string {
  return faults
    .map(
      ({ fault, count, line }) =>
        `${names[fault]} (${count === 1 ? "" : `${count} times, first in `}line ${line})`,
    )
    .join(", ");
}

/** Returns the faults because of which a client, or another reader, misses something. */
export function findDamage({ faults }: Pick<FileHealth, "faults">): FileHealth["faults"] {
  return faults.filter(({ fault }) => fault !== "line-separator" && fault !== "duplicate-row");
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
