import type { Dirent, Stats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { findIgnored } from "../git/list-files.ts";
import { unlessGone } from "../lib/app-error.ts";
import { formatBytes } from "../lib/describe.ts";
import { type HeldFolder, inFolder } from "./confine/held-folder.ts";
import { findPlace, isGitFolder, isWithheld, missing, type Place } from "./confine/place.ts";
import { defineInput, defineTool } from "./define-tool.ts";
import { toOneLineName } from "./text/one-line-name.ts";
import { ToolRefused, type ToolSurroundings } from "./tool.ts";

/** What is said after the entries has room too. */
const noteRoom = 300;

export const listTool = defineTool({
  name: "list",
  effect: "reads",
  description: [
    "List what is in a folder of the work folder: one entry a line, folders first and with a slash at the end, files with their size, links with where they lead.",
    "What git ignores is left out and counted; name an ignored folder itself to see what is in it.",
  ].join(" "),
  input: defineInput({
    path: {
      type: "string",
      least: 1,
      optional: true,
      description: "The folder, relative to the work folder; the work folder itself unless given.",
    },
  }),
  describe: ({ path }) => path ?? ".",
  run: async ({ path = "." }, surroundings) => {
    const place = await findPlace(surroundings, path);
    if (place.kind === "nothing") throw await missing(place, surroundings);
    if (place.kind !== "folder") throw new ToolRefused(`${place.shown} is no folder. Use the tool read.`);
    return await inFolder(surroundings.folder, place.names, {}, (held) =>
      listFolder(held, place, surroundings),
    );
  },
});

async function listFolder(held: HeldFolder, place: Place, surroundings: ToolSurroundings): Promise<string> {
  const { folder, withheld, limits } = surroundings;
  const path = join(folder, ...place.names);
  const entries = (await readdir(held.path, { withFileTypes: true })).filter(
    ({ name }) => !isGitFolder(name) && !isWithheld(withheld, join(path, name)),
  );
  const ignored = await findIgnored(
    path,
    surroundings,
    entries.map(({ name }) => name),
  );
  const listed = entries.filter(({ name }) => !ignored.has(name)).sort(compareEntries);
  const lines: string[] = [];
  let room = limits.outputCharacters - noteRoom;
  for (const entry of listed) {
    surroundings.signal.throwIfAborted();
    const line = `${await describeEntry(held, entry)}\n`;
    room -= line.length;
    if (room < 0) break;
    lines.push(line);
  }
  if (listed.length === 0)
    lines.push(`[${place.shown === "." ? "The work folder" : place.shown} has nothing to list.]\n`);
  return [...lines, describeRest(listed.length - lines.length), describeIgnored(ignored)].join("");
}

function compareEntries(one: Dirent, other: Dirent): number {
  const folders = Number(other.isDirectory()) - Number(one.isDirectory());
  return folders || (one.name < other.name ? -1 : 1);
}

async function describeEntry(held: HeldFolder, entry: Dirent): Promise<string> {
  const name = toOneLineName(entry.name);
  const path = join(held.path, entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return `${name} -> ${toOneLineName((await unlessGone(readlink(path))) ?? "?")}`;
  const stats = await unlessGone(lstat(path));
  return stats === undefined ? name : `${name}  ${describeStats(stats)}`;
}

function describeStats(stats: Stats): string {
  if (stats.isFile()) return formatBytes(stats.size);
  if (stats.isFIFO()) return "named pipe";
  return stats.isSocket() ? "socket" : "device";
}

function describeRest(count: number): string {
  return count > 0 ? `[… and ${count} more. Use search or bash to find what you need.]\n` : "";
}

/** How many of what is ignored are named. */
const mostNamed = 5;

function describeIgnored(ignored: ReadonlySet<string>): string {
  if (ignored.size === 0) return "";
  const named = [...ignored].sort().slice(0, mostNamed).map(toOneLineName).join(", ");
  const more = ignored.size > mostNamed ? ", …" : "";
  return `[Left out, because git ignores it: ${named}${more} (${ignored.size})]\n`;
}
