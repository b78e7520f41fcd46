import type { Stats } from "node:fs";
import { relative, sep } from "node:path";
import { isInside } from "../../lib/resolve-inside.ts";
import type { ToolSurroundings } from "../tool.ts";
import { ToolRefused } from "../tool-refused.ts";
import { followPath } from "./follow-path.ts";

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
