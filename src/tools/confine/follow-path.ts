import type { Stats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { dirname, isAbsolute, join, parse } from "node:path";
import { unlessGone } from "../../lib/unless-gone.ts";
import { ToolRefused } from "../tool-refused.ts";

/** As many as Linux follows in one path. */
const mostLinks = 40;

/** Where a path leads when all links in it are followed, and what is there; undefined where there is nothing. */
export interface Followed {
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
