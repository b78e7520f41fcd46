import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../../lib/app-error.ts";
import { ownValue } from "../json-object.ts";
import { type Content, readContent } from "./file-content.ts";
import { type FileProblem, findFolderFault } from "./problem.ts";

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
