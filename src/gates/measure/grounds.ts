import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync, statSync, unlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { GitPath } from "../../git/git-path.ts";
import { readSmall } from "../../git/git-place.ts";
import { readHead } from "../../git/read-head.ts";
import { isSystemError } from "../../lib/app-error.ts";
import { sweepStrays, writeFileAtomically } from "../../lib/atomic-file.ts";
import { listGateFiles } from "../gate-places.ts";
import { asFarAsDiskAllows } from "../held/held-rules.ts";
import { lookAt } from "../pass.ts";
import { locateGates } from "../state/gate-state.ts";
import { findFolderFault } from "../state/problem.ts";
import { makeOwnFolder } from "./file-clock.ts";
import {
  type Ground,
  type GroundKind,
  type LookedAt,
  largestMark,
  parseTreeMark,
  renderTreeMark,
  type TreeMark,
} from "./tree-mark.ts";
import { orUnknown } from "./unknown.ts";

/** Returns where the marks of a repository are kept. */
export function locateMarks(commonFolder: string): string {
  return join(locateGates(commonFolder), "marks");
}

/** Keeps a mark for the end of a tool call. Returns what went wrong, in a sentence; nothing when it is kept. */
export async function keepMark(folder: string, call: string, mark: TreeMark): Promise<string | undefined> {
  const failed = await orUnknown(async () => {
    const path = locateMark(folder, call);
    await write(path, mark);
    await sweepMarks(folder, path);
  });
  return failed?.unknown;
}

/** Keeps a mark in a file of its own. Returns what went wrong, in a sentence; nothing when it is kept. */
export async function writeMark(path: string, mark: TreeMark): Promise<string | undefined> {
  return (await orUnknown(() => write(path, mark)))?.unknown;
}

async function write(path: string, mark: TreeMark): Promise<void> {
  makeOwnFolder(dirname(path));
  await writeFileAtomically(path, renderTreeMark(mark));
}

/** Returns the mark of a tool call and removes it; undefined when there is none that can be read. */
export function takeMark(folder: string, call: string): TreeMark | undefined {
  if (findFolderFault([dirname(folder), folder]) !== undefined) return undefined;
  const path = locateMark(folder, call);
  const mark = readMark(path);
  // One that cannot be removed is not found by any other call.
  asFarAsDiskAllows(() => unlinkSync(path));
  return mark;
}

/** Returns the mark in a file; undefined when there is none that can be read. */
export function readMark(path: string): TreeMark | undefined {
  try {
    return parseTreeMark(readSmall(path, largestMark)?.toString() ?? "");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** A name of a client may hold anything, and be too long for a file. */
function locateMark(folder: string, call: string): string {
  return join(folder, `${createHash("sha256").update(call).digest("hex").slice(0, 32)}.json`);
}

const day = 86_400_000;

/** Removes the marks of calls that never ended: those a day older than one just written, by the clock of the disk. */
async function sweepMarks(folder: string, newest: string): Promise<void> {
  await sweepStrays(folder);
  const now = statSync(newest).mtimeMs;
  for (const name of readdirSync(folder).filter((each) => /^[0-9a-f]{32}\.json$/.test(each))) {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Math.abs(now - stats.mtimeMs) > day) removeIfThere(path);
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // Another sweep was faster.
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}

/** Where a verdict is made. */
interface GroundPlace {
  readonly root: string;
  readonly commonFolder: string;
  /** The user's own file of gates. */
  readonly user: string;
  /** The variables of whoever asks: they say where the user's own settings of git are. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Lists what a verdict on the writes of a command rests on and git does not show: the files of the gates, which may be
 * ignored; what git is told to ignore, to take for the same or to run; and the folders of what has become of the gates.
 */
export function listGrounds({ root, commonFolder, user, env }: GroundPlace): readonly Ground[] {
  const of = (kind: GroundKind, paths: readonly string[]) => paths.map((path) => ({ kind, path }));
  const { settings, files, programs } = listGitGrounds({ root, commonFolder, env });
  return [
    ...of("linked", [...listGateFiles({ user, root, trusted: true }), ...files]),
    ...of("settings", settings),
    ...of("programs", programs),
    ...of("folder", [locateGates(commonFolder), locateMarks(commonFolder)]),
  ];
}

/** Looks at the grounds as they are now. */
export function lookAtGrounds(grounds: readonly Ground[]): readonly LookedAt[] {
  return grounds.map(look);
}

function look({ kind, path }: Ground): LookedAt {
  try {
    if (kind === "settings") return { kind, path, was: hashSettings(readIfThere(path)) };
    if (kind === "programs") return { kind, path, was: listPrograms(path) };
    return lookAt(kind, path);
  } catch (error) {
    // A file in the place of a folder on the way, or nobody may look: nothing is there for us.
    if (!(error instanceof Error && "syscall" in error)) throw error;
    return { kind, path, was: null };
  }
}

/** Git puts samples there, and runs none of them. */
function listPrograms(folder: string): string | null {
  const names = readdirSync(folder).filter((name) => !name.endsWith(".sample"));
  // As where there is no folder: making it is nothing yet.
  if (names.length === 0) return null;
  return JSON.stringify(names.sort().map((name) => [name, lookAt("linked", join(folder, name)).was]));
}

/** Returns the grounds that are not as they were; those in the work tree from its top. */
export function findMovedGrounds(root: string, before: readonly LookedAt[]): readonly GitPath[] {
  const moved = before.filter((ground) => look(ground).was !== ground.was);
  return moved.map(({ path }) => {
    const inside = relative(root, path);
    const shown = inside.startsWith("..") || isAbsolute(inside) ? path : inside;
    return Buffer.from(shown).toString("latin1") as GitPath;
  });
}

/** Returns when the last of some grounds was changed, in nanoseconds. */
export function changedLast(grounds: readonly LookedAt[]): bigint {
  const files = grounds.filter(({ kind }) => kind === "file" || kind === "linked");
  const times = files.map(({ was }) => BigInt(was?.split(":")[4] || 0));
  return times.reduce((last, time) => (time > last ? time : last), 0n);
}

/** Where git keeps what it goes by, beside the work tree. */
interface GitFolders {
  readonly root: string;
  readonly commonFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What git goes by when it says what a work tree is like, and what it runs meanwhile. */
interface GitGrounds {
  /** Files of settings. */
  readonly settings: readonly string[];
  /** Files that say what is ignored, or taken for something else. */
  readonly files: readonly string[];
  /** Folders of programs that git runs by itself. */
  readonly programs: readonly string[];
}

const largest = 1 << 20;

/** Lists what git goes by in a repository, for this user. What settings include from elsewhere is not followed. */
function listGitGrounds({ root, commonFolder, env }: GitFolders): GitGrounds {
  const home = env.HOME || homedir();
  const own = join(env.XDG_CONFIG_HOME || join(home, ".config"), "git");
  const global = env.GIT_CONFIG_GLOBAL
    ? [env.GIT_CONFIG_GLOBAL]
    : [join(home, ".gitconfig"), join(own, "config")];
  const gitFolder = readHead(root, { env })?.gitFolder ?? commonFolder;
  const settings = [join(commonFolder, "config"), join(gitFolder, "config.worktree"), ...global];
  const named = settings.flatMap((path) => findExcludes(path, { root, home }));
  const inside = ["exclude", "attributes"].map((name) => join(commonFolder, "info", name));
  return {
    settings,
    files: [...new Set([...inside, join(own, "ignore"), join(own, "attributes"), ...named])],
    programs: [join(commonFolder, "hooks")],
  };
}

/** Returns the files that settings name for what is ignored, or has attributes, everywhere. */
function findExcludes(path: string, { root, home }: { readonly root: string; readonly home: string }) {
  const text = readIfThere(path);
  const found = text.matchAll(/^\s*(?:excludesfile|attributesfile)\s*=\s*"?([^"\n]+?)"?\s*$/gim);
  return [...found].map(([, value = ""]) => {
    const file = value.replace(/^~(?=\/)/, () => home);
    return isAbsolute(file) ? file : join(root, file);
  });
}

/** Reads a file of settings as far as it is there, and no larger than any that people write. */
function readIfThere(path: string): string {
  try {
    // People keep their own settings behind links.
    return readSmall(realpathSync(path), largest)?.toString("latin1") ?? "";
  } catch (error) {
    // It is not there, most of the time.
    if (error instanceof Error && "syscall" in error) return "";
    throw error;
  }
}

/** Sections that name others and their branches: they hide no file, and git changes them whenever a branch is pushed. */
const nameOnly = /^\s*\[\s*(?:branch|remote|user|submodule)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]\s*(?:[#;].*)?$/i;

/**
 * Returns a hash of what settings of git may do to what it shows and runs. Whatever is not plainly a section that does
 * nothing of it counts, as it stands.
 */
export function hashSettings(text: string): string {
  return createHash("sha256").update(dropNames(text)).digest("hex");
}

function dropNames(text: string): string {
  const lines = text.split("\n");
  // A line that goes on in the next one may make a heading part of a value.
  if (lines.some((line) => /\\\r?$/.test(line))) return text;
  let isDropped = false;
  return lines
    .filter((line) => {
      if (/^\s*\[/.test(line)) isDropped = nameOnly.test(line);
      return !isDropped && line.trim() !== "";
    })
    .join("\n");
}
