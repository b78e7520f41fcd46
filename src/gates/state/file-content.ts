import { isUtf8 } from "node:buffer";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
} from "node:fs";
import { isSystemError } from "../../lib/app-error.ts";
import { isDeeperThan, parseIfJson } from "../../lib/json.ts";
import { isJsonObject, type JsonObject } from "../json-object.ts";

/** What lies in the place of a file of the gates. */
export type Content =
  | { readonly type: "none" }
  | {
      readonly type: "document" | "newer";
      readonly value: JsonObject;
      readonly file: FileBytes;
    }
  | Broken;

interface Broken {
  readonly type: "broken";
  readonly problem: string;
}

/** The bytes of a file. */
interface FileBytes {
  readonly type: "bytes";
  readonly bytes: Buffer;
  /** Names this content of the file; undefined when it changed while it was read. */
  readonly stamp: string | undefined;
}

/** Bytes; ten thousand standings take three million. */
const largest = 64 << 20;
const deepest = 64;

/** Reads a file of the gates. Does not wait for anything, whatever lies there. */
export function readContent(path: string): Content {
  const file = readBytes(path);
  return file.type === "bytes" ? parseContent(file) : file;
}

function parseContent(file: FileBytes): Content {
  if (!isUtf8(file.bytes)) return broken("is not UTF-8");
  const text = file.bytes.toString();
  if (text.trim() === "") return broken("is empty");
  const value = parseIfJson(text);
  if (value === undefined) return broken("is not JSON, or only the beginning of it");
  if (!isJsonObject(value)) return broken("is not an object");
  if (isDeeperThan(value, deepest)) return broken(`is nested deeper than ${deepest} levels`);
  return { type: isNewer(value.version) ? "newer" : "document", value, file };
}

/** Reads the bytes of a regular file. */
export function readBytes(path: string): FileBytes | Broken | { readonly type: "none" } {
  try {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const descriptor = openSync(path, flags);
    try {
      return readOpened(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return { type: "none" };
    if (isSystemError(error, "ELOOP")) return broken("is a symbolic link");
    if (isSystemError(error, "EACCES", "EPERM")) return broken("may not be read");
    return broken(`could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readOpened(descriptor: number): FileBytes | Broken {
  const stats = fstatSync(descriptor, { bigint: true });
  if (!stats.isFile()) return broken("is not a regular file");
  if (stats.size > largest) return broken(`is too large: ${stats.size} bytes`);
  const bytes = readFileSync(descriptor);
  const stamp = stampOf(stats);
  const isSteady = stampOf(fstatSync(descriptor, { bigint: true })) === stamp;
  return { type: "bytes", bytes, stamp: isSteady ? stamp : undefined };
}

/** Returns the stamp of a regular file; undefined when there is none. */
export function readStamp(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() === true ? stampOf(stats) : undefined;
  } catch {
    // Whatever stands in the way, reading the file itself will tell it.
    return undefined;
  }
}

/** Returns what a stamp tells of the disk of a file, and of when it last changed there. */
export function parseStamp(stamp: string): { readonly dev: bigint; readonly ctimeNs: bigint } {
  const parts = stamp.split(":");
  return { dev: BigInt(parts[0] ?? ""), ctimeNs: BigInt(parts[4] ?? "") };
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

function broken(problem: string): Broken {
  return { type: "broken", problem };
}

/** Tells whether a file is of a version that may mean other things by the same words. */
function isNewer(version: unknown): boolean {
  return Number.parseInt(String(version), 10) > 1;
}
