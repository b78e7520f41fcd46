import type { Stats } from "node:fs";
import { type FileHandle, lstat, readdir, readlink } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, relative, sep } from "node:path";
import { unlessGone } from "../../lib/app-error.ts";
import { formatBytes } from "../../lib/describe.ts";
import { isInside } from "../../lib/resolve-inside.ts";
import { suggest } from "../../lib/suggest.ts";
import { ToolRefused, type ToolSurroundings } from "../tool.ts";
import { inFolder, openFileIn } from "./held-folder.ts";

/** As many as Linux follows in one path. */
const mostLinks = 40;

/** Where a path leads when all links in it are followed, and what is there; undefined where there is nothing. */
interface Followed {
  readonly path: string;
  readonly stats: Stats | undefined;
}

/**
 * Follows a path as the system would, link by link, also where its end is not there yet.
 *
 * `..` is taken after the links before it have been followed, so that it never leads elsewhere than the system's does.
 */
export async function followPath(from: string, path: string): Promise<Followed> {
  let at = startOf(from, path);
  let stats: Stats | undefined;
  let links = 0;
  const rest = namesOf(path);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const next = name === ".." ? dirname(at) : join(at, name);
    stats = await unlessGone(lstat(next));
    if (stats?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    links += 1;
    if (links > mostLinks) throw new ToolRefused(`${path} leads through too many links.`);
    const target = await readlink(next);
    at = startOf(at, target);
    rest.unshift(...namesOf(target));
    // A link may end where it stands.
    stats = await unlessGone(lstat(at));
  }
  return { path: at, stats: stats ?? (await unlessGone(lstat(at))) };
}

function startOf(from: string, path: string): string {
  return isAbsolute(path) ? parse(path).root : from;
}

function namesOf(path: string): string[] {
  const names = path.slice(isAbsolute(path) ? parse(path).root.length : 0);
  return names
    .split(process.platform === "win32" ? /[\\/]/ : "/")
    .filter((name) => name !== "" && name !== ".");
}

/** A file as it was when it was read. */
export interface FoundFile {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Reads a whole file; one that is missing or too large is refused with what to do instead. */
export async function readPlace(place: FilePlace, surroundings: ToolSurroundings): Promise<FoundFile> {
  const { folder, limits, signal } = surroundings;
  if (place.kind === "nothing") throw await missing(place, surroundings);
  return await inFolder(folder, place.folders, {}, async (held) => {
    const handle = await openFileIn(held, place.name);
    try {
      const stats = await handle.stat();
      const bytes =
        stats.size > limits.fileBytes ? undefined : await readUpTo(handle, limits.fileBytes, signal);
      if (bytes === undefined) throw tooLarge(place, stats.size, limits.fileBytes);
      return { bytes, stats };
    } finally {
      await handle.close();
    }
  });
}

/** Reads the bytes of a file; undefined where there are more than so many: it may grow while it is read. */
export async function readUpTo(
  handle: FileHandle,
  most: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = handle.createReadStream({ autoClose: false, start: 0, end: most, signal });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
  }
  return size > most ? undefined : Buffer.concat(chunks, size);
}

function tooLarge({ shown }: Place, size: number, most: number): ToolRefused {
  const sizes = `${shown} has ${formatBytes(size)}, and at most ${formatBytes(most)} are taken`;
  return new ToolRefused(`${sizes}. Look at a part of it with the tool bash: head, tail, sed or grep.`);
}

/** Says what is not there, with names that are like the one that was meant. */
export async function missing(place: Place, surroundings: ToolSurroundings): Promise<ToolRefused> {
  const { folder, withheld } = surroundings;
  for (let depth = place.names.length - 1; depth >= 0; depth -= 1) {
    const above = place.names.slice(0, depth);
    const wanted = place.names[depth] ?? "";
    const names = await inFolder(folder, above, {}, (held) => readdir(held.path)).catch(() => undefined);
    if (names === undefined) continue;
    if (names.includes(wanted))
      return new ToolRefused(`${[...above, wanted].join("/")} is no folder, and has nothing in it.`);
    const near = suggest(wanted, names)
      .filter((name) => !isWithheld(withheld, join(folder, ...above, name)))
      .map((name) => [...above, name].join("/"));
    return new ToolRefused(`${describeMissing(place, above, wanted)} ${describeNear(near)}`);
  }
  return new ToolRefused(`${place.shown} is not there.`);
}

function describeMissing({ shown, names }: Place, above: readonly string[], wanted: string): string {
  if (above.length === names.length - 1) return `${shown} is not there.`;
  return `${shown} is not there: there is no ${wanted} in ${above.join("/") || "the work folder"}.`;
}

function describeNear(near: readonly string[]): string {
  if (near.length === 0) return "Use the tool list to see what is.";
  return `Perhaps you mean ${near.join(" or ")}.`;
}

/** What is at a place. */
type PlaceKind = "file" | "folder" | "nothing" | "special";

/** Where in the folder a path leads, links followed; nobody has opened anything there yet. */
export interface Place {
  /** The names on the way to it from the folder; none for the folder itself. */
  readonly names: readonly string[];
  /** As people and models read it: `src/a.ts`, or `.` for the folder. */
  readonly shown: string;
  readonly kind: PlaceKind;
  readonly stats: Stats | undefined;
}

/** A place with a name in a folder, as every file is. */
export interface FilePlace extends Place {
  /** The names of the folders on the way to it. */
  readonly folders: readonly string[];
  readonly name: string;
}

/** No system takes more. */
const longestPath = 4096;

type Ground = Pick<ToolSurroundings, "folder" | "withheld">;

/** Finds where a path leads, and refuses what is not in the folder. */
export async function findPlace({ folder, withheld }: Ground, path: string): Promise<Place> {
  if (path.includes("\0")) throw new ToolRefused("A path has no NUL character.");
  if (path.length > longestPath) throw new ToolRefused("The path is too long for the system.");
  const { path: found, stats } = await followPath(folder, path);
  if (!isInside(folder, found))
    throw new ToolRefused(
      `${path} leads out of the work folder ${folder}. Only what is in it can be used: give a path relative to it.`,
    );
  if (isWithheld(withheld, found))
    throw new ToolRefused(`${path} belongs to Carryon itself, and no tool touches it.`);
  const way = relative(folder, found);
  const names = way === "" ? [] : way.split(sep);
  return { names, shown: names.join("/") || ".", kind: kindOf(stats), stats };
}

/** Tells whether a path is among those that no tool touches, in any case: some file systems tell none from the other. */
export function isWithheld(withheld: Ground["withheld"], path: string): boolean {
  return withheld.some((each) => isInside(each.toLowerCase(), path.toLowerCase()));
}

function kindOf(stats: Stats | undefined): PlaceKind {
  if (stats === undefined) return "nothing";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "special";
}

/** Returns the place as that of a file; what is there and is none is refused with what it is. */
export function requireFile(place: Place): FilePlace {
  const { names, shown, kind, stats } = place;
  if (kind === "special")
    throw new ToolRefused(`${shown} is ${describeSpecial(stats)}, and no regular file.`);
  const name = names.at(-1);
  if (kind === "folder" || name === undefined)
    throw new ToolRefused(`${shown} is a folder. Use the tool list to see what is in it.`);
  return { ...place, folders: names.slice(0, -1), name };
}

function describeSpecial(stats: Stats | undefined): string {
  if (stats?.isFIFO() === true) return "a named pipe";
  if (stats?.isSocket() === true) return "a socket";
  return stats?.isCharacterDevice() === true || stats?.isBlockDevice() === true ? "a device" : "a link";
}

/** Refuses to write what git keeps for itself: a hook or a setting there would be run by the next git. */
export function refuseGitFolder({ names, shown }: Place): void {
  if (names.some(isGitFolder))
    throw new ToolRefused(
      `${shown} belongs to git, and is not written. Use git commands with the tool bash.`,
    );
}

/** Characters that some file systems pass over in names. */
const passedOver = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Tells whether a name is that of git's own folder, on any file system. */
export function isGitFolder(name: string): boolean {
  const [plain = ""] = name.replace(passedOver, "").toLowerCase().split(":");
  return /^(?:\.git|git~1)[. ]*$/.test(plain);
}
