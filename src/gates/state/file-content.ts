import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../../lib/app-error.ts";
import { isDeeperThan, parseIfJson } from "../../lib/json.ts";
import { isJsonObject, type JsonObject, ownValue } from "../json-object.ts";
import { type FileProblem, findFolderFault } from "./problem.ts";

/** What lies in the place of a file of the gates. */
export type Content =
  | { readonly type: "none" }
  | { readonly type: "document" | "newer"; readonly value: JsonObject }
  | Broken;

interface Broken {
  readonly type: "broken";
  readonly problem: string;
}

/** Bytes; ten thousand standings take three million. */
const largest = 64 << 20;
const deepest = 64;

/** Reads a file of the gates. Does not wait for anything, whatever lies there. */
export function readContent(path: string): Content {
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

function readOpened(descriptor: number): Content {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) return broken("is not a regular file");
  if (stats.size > largest) return broken(`is too large: ${stats.size} bytes`);
  return parseContent(readFileSync(descriptor));
}

function parseContent(bytes: Buffer): Content {
  if (!isUtf8(bytes)) return broken("is not UTF-8");
  const text = bytes.toString();
  if (text.trim() === "") return broken("is empty");
  const value = parseIfJson(text);
  if (value === undefined) return broken("is not JSON, or only the beginning of it");
  if (!isJsonObject(value)) return broken("is not an object");
  if (isDeeperThan(value, deepest)) return broken(`is nested deeper than ${deepest} levels`);
  return { type: isNewer(value.version) ? "newer" : "document", value };
}

function broken(problem: string): Broken {
  return { type: "broken", problem };
}

/** Tells whether a file is of a version that may mean other things by the same words. */
function isNewer(version: unknown): boolean {
  return Number.parseInt(String(version), 10) > 1;
}

/** The files of a folder that are of something each, which a field in them names: of a branch, or of a session. */
interface FileKind {
  readonly folder: string;
  /** The folder and those around it that are ours, the outer ones first. */
  readonly own: readonly string[];
  readonly field: "branch" | "session_id";
}

/** The file of a branch or a session, or the place for it. */
export interface FoundFile {
  readonly path: string;
  readonly content: Content | Blocked;
  /** The files that were looked at, in this order, the file itself at the end when there is one. */
  readonly looked: readonly LookedAt[];
}

/** The folder of the file is none of ours, so that nobody knows what the file says. */
export interface Blocked extends Pick<FileProblem, "problem" | "hint"> {
  readonly type: "blocked";
}

interface LookedAt {
  readonly name: string;
  readonly content: Content;
}

/**
 * Finds the file of a branch or a session, or the place for a new one. Costs no more than reading it where it has its
 * plain name; else the names in the folder are read once.
 */
export function findFile(kind: FileKind, subject: string): FoundFile {
  const fault = findFolderFault(kind.own);
  if (fault !== undefined) return { path: fault.path, content: { type: "blocked", ...fault }, looked: [] };
  const looked: LookedAt[] = [];
  let names: readonly string[] | undefined;
  let place: Omit<FoundFile, "looked"> | undefined;
  let path = "";
  for (const name of candidateNames(subject)) {
    path = join(kind.folder, name);
    const content = readContent(path);
    looked.push({ name, content });
    const owner = ownerOf(kind, content);
    if (owner === subject) return { path, content, looked };
    names ??= readNames(kind.folder);
    if (isPlace(name, content, owner, names)) place ??= { path, content };
    // Without any longer name there is none with a hash, and nothing has to be hashed to know it.
    if (place !== undefined && !hasLonger(name, names)) break;
  }
  return { ...(place ?? { path, content: { type: "broken", problem: "is another's" } }), looked };
}

/**
 * Tells whether a file may be put under a name. One that does not say whose it is gives way; one whose name differs in
 * nothing but case is another's, and on some disks it would be the same file.
 */
function isPlace(
  name: string,
  content: Content,
  owner: string | undefined,
  names: readonly string[],
): boolean {
  return content.type === "none" ? !names.includes(name.toLowerCase()) : owner === undefined;
}

function hasLonger(name: string, names: readonly string[]): boolean {
  const start = `${name.slice(0, -".json".length).toLowerCase()}-`;
  return names.some((each) => each.startsWith(start));
}

/** Returns what a file is of; undefined when it does not say. */
function ownerOf({ field }: FileKind, content: Content): string | undefined {
  if (content.type !== "document" && content.type !== "newer") return undefined;
  const owner = ownValue(content.value, field);
  return typeof owner === "string" ? owner : undefined;
}

/** Returns the names in a folder in lower case. */
function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => name.toLowerCase());
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) return [];
    throw error;
  }
}

/** The longest name that a file has without a hash in it. */
const longest = 100;

/** Returns the name that a branch's file has when no other's stands in its way: `feature/test` is `feature-test.json`. */
function plainNameOf(subject: string): string {
  return subject.replace(/[/\\]/g, "-").replace(/[^A-Za-z0-9_-]/g, "_");
}

/**
 * Yields the names that the file of a branch may have, the best first: the plain one unless it is too long, then those
 * with 8 digits of the branch's hash and more. They are made when they are asked for: hashing takes a module to load.
 */
export function* candidateNames(subject: string): Generator<string> {
  const plain = plainNameOf(subject);
  if (plain.length <= longest && plain !== "") yield `${plain}.json`;
  const digits = process.getBuiltinModule("node:crypto").createHash("sha256").update(subject).digest("hex");
  for (const length of [8, 16, 64]) yield `${plain.slice(0, longest)}-${digits.slice(0, length)}.json`;
}
