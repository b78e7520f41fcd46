import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { mkdir, open, realpath } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { AppError, isSystemError } from "../../lib/app-error.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import type { Clock } from "../../lib/clock.ts";
import { readFailed, refuseSpecialFile, writeFailed } from "../../lib/file-error.ts";
import { type ReadFile, readBelow } from "../../lib/read-below.ts";
import { resolveInside } from "../../lib/resolve-inside.ts";
import { findWaiting, type GatePlaces, locateProjectFiles } from "../gate-places.ts";
import { compileGateConfig, type GateSources, readGateSources } from "./compiled-config.ts";
import {
  type Layer,
  largestRequirements,
  notText,
  parseRequirements,
  tooLarge,
  unreadable,
} from "./parse-requirements.ts";
import { mergeLayers, type ReadConfig, toGateConfig } from "./to-gate-config.ts";

/** The configuration that counts in a project. */
export interface GateConfigOfProject extends ReadConfig {
  /** The files of the project that are there but do not count, because it is not trusted. */
  readonly waiting: readonly string[];
  /** The state of the files that it was read from; undefined where they changed meanwhile or cannot be watched. */
  readonly sources: GateSources | undefined;
}

/**
 * Reads the configuration of the gates. Throws nothing for what the files are: what cannot be read turns the gates off and is
 * told. Of a project that is not trusted nothing is read.
 */
export async function readGateConfig(places: GatePlaces): Promise<GateConfigOfProject> {
  const before = readGateSources(places);
  const { user, root, trusted } = places;
  const { project, local } = locateProjectFiles(root);
  const layers = {
    user: await readLayer(user, () => readFollowing(user)),
    project: trusted ? await readLayer(project, () => readInside(root, project)) : undefined,
    local: trusted ? await readLayer(local, () => readInside(root, local)) : undefined,
  };
  const sources = readGateSources(places);
  return {
    ...toGateConfig(mergeLayers(layers)),
    waiting: findWaiting(places),
    sources: sources?.key === before?.key ? sources : undefined,
  };
}

async function readLayer(file: string, read: () => Promise<ReadFile>): Promise<Layer | undefined> {
  try {
    const found = await read();
    if (found.type === "none") return undefined;
    return found.type === "too-large" ? tooLarge(file) : parseRequirements(decode(found.bytes), file);
  } catch (error) {
    if (error instanceof NotText) return notText(file, error.line, error.column);
    if (!(error instanceof AppError)) throw error;
    // The project itself is not there.
    if (error.code === "file-missing") return undefined;
    const problem =
      error.code === "symlink-refused" ? "It leads out of the project and is not read." : error.message;
    return unreadable({ file, line: 1, problem, hint: error.hint ?? "Move away what is there." });
  }
}

/** Reads a file of the project. Links inside of it are followed: one that leads out of it is refused. */
async function readInside(root: string, path: string): Promise<ReadFile> {
  const found = await resolveInside(root, relative(root, path));
  return found === undefined ? { type: "none" } : readBelow(await realpath(root), found, largestRequirements);
}

/** Reads the user's own file. A link is followed: many keep such files in a folder of their own. */
async function readFollowing(path: string): Promise<ReadFile> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      refuseSpecialFile(path, stats);
      if (stats.size > largestRequirements) return { type: "too-large", size: stats.size };
      return { type: "bytes", bytes: await handle.readFile() };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return { type: "none" };
    throw readFailed(path, error);
  }
}

/** The bytes of a file are not UTF-8, from here on. */
class NotText extends Error {
  readonly line: number;
  readonly column: number;

  constructor(bytes: Buffer) {
    super("The bytes are not UTF-8.");
    let [line, start] = [1, 0];
    // No sign of several bytes has a line break in it, so that each line is text or not by itself.
    for (let end = bytes.indexOf(10); end >= 0 && isUtf8(bytes.subarray(start, end)); line += 1) {
      start = end + 1;
      end = bytes.indexOf(10, start);
    }
    this.line = line;
    this.column = bytes.toString("utf8", start).indexOf("\uFFFD") + 1;
  }
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new NotText(bytes);
  return new TextDecoder("utf-8").decode(bytes);
}

/** Writes what was read where a hook finds it, and tells whether it did: files that have just changed are not kept. */
export async function writeCompiledConfig(
  cacheFile: string,
  read: Omit<GateConfigOfProject, "waiting">,
  clock: Clock,
): Promise<boolean> {
  const text = read.sources && compileGateConfig(read, read.sources, clock.now());
  if (text === undefined) return false;
  try {
    await mkdir(dirname(cacheFile), { recursive: true, mode: 0o700 });
    await writeFileAtomically(cacheFile, text);
  } catch (error) {
    throw writeFailed(cacheFile, error);
  }
  return true;
}
