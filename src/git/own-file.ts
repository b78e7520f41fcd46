import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { isInside } from "../lib/resolve-inside.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import { type GitPath, toGitPath } from "./git-path.ts";
import type { RepositoryFiles } from "./repository.ts";

/** Tells whether a file is a lock of ours, or one in the making: nobody's work, and gone or empty the next moment. */
export function isOwnFile(path: GitPath): boolean {
  return /(?:^|\/)\.[^/]+\.carryon-(?:lock|tmp)(?:-wal|-shm|-journal)?$/.test(path);
}

/**
 * Returns what tells whether a file of a work tree is Carryon's and nobody's work: its locks, its home with the key and
 * all that was recorded, and what whoever has opened the repository withholds.
 *
 * A home that is the work tree itself holds all files of it.
 */
export async function findOwnFiles(repository: RepositoryFiles): Promise<(path: GitPath) => boolean> {
  const { root, run, withheld = [] } = repository;
  const { CARRYON_HOME: home, HOME: user } = run.env;
  const given = [home, user && join(user, ".carryon"), ...withheld];
  const top = await realpath(root);
  const places = await Promise.all(given.flatMap((path) => (path ? [findPlace(path)] : [])));
  const inside = places.flatMap((place) => (place && isInside(top, place) ? [relative(top, place)] : []));
  const own = inside.map((place) => toGitPath(place.split(sep).join("/")));
  return (path) => isOwnFile(path) || own.some((place) => isAt(path, place));
}

/** Returns where a path really is, also one of a file that is not there yet; undefined where its folder is not either. */
async function findPlace(path: string): Promise<string | undefined> {
  const found = await unlessGone(realpath(path));
  if (found !== undefined) return found;
  const folder = await unlessGone(realpath(dirname(path)));
  return folder && join(folder, basename(path));
}

function isAt(path: GitPath, place: GitPath): boolean {
  return place === "" || path === place || path.startsWith(`${place}/`);
}
