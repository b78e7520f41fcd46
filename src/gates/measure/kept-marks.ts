import { createHash } from "node:crypto";
import { lstatSync, readdirSync, statSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSmall } from "../../git/git-place.ts";
import { isSystemError } from "../../lib/app-error.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { sweepStrays } from "../../lib/temp-files.ts";
import { asFarAsDiskAllows } from "../held/held-rules.ts";
import { locateGates } from "../state/gate-state.ts";
import { findFolderFault } from "../state/problem.ts";
import { makeOwnFolder } from "./file-clock.ts";
import { largestMark, parseTreeMark, renderTreeMark, type TreeMark } from "./tree-mark.ts";
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
