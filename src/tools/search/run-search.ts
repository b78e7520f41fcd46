import { findPlace, type Place, requireFile } from "../confine/place.ts";
import { missing } from "../confine/read-place.ts";
import type { ToolSurroundings } from "../tool.ts";
import { compileGlob } from "./compile-glob.ts";
import { compilePattern } from "./compile-pattern.ts";
import { FileSearch } from "./file-search.ts";
import { Hits } from "./hits.ts";

/** How long a search may take; what is said after the hits has room too. */
const [usualMs, noteRoom] = [60_000, 400];

/** What is looked for, and where. */
export interface SearchRequest {
  readonly pattern: string;
  readonly path: string | undefined;
  readonly glob: string | undefined;
}

/** Finds lines in the files of a place, and returns them as a model reads them. */
export async function runSearch(request: SearchRequest, surroundings: ToolSurroundings): Promise<string> {
  const { path = ".", glob } = request;
  const { limits, signal } = surroundings;
  const pattern = compilePattern(request.pattern);
  const hits = new Hits(pattern, limits.outputCharacters - noteRoom);
  const place = await findPlace(surroundings, path);
  const isWanted = glob === undefined ? () => true : compileGlob(glob, place.names.join("/"));
  const limitMs = Math.min(usualMs, limits.commandMs);
  const deadline = AbortSignal.timeout(limitMs);
  const search = new FileSearch({ pattern, isWanted, hits, deadline }, surroundings);
  await searchPlace(search, place, surroundings);
  signal.throwIfAborted();
  const found = hits.count === 0 ? `[None of ${search.searched} files has a line with it.]\n` : hits.render();
  return `${found}${describeTooLarge(search.tooLarge)}${deadline.aborted ? describeLate(limitMs) : ""}`;
}

async function searchPlace(search: FileSearch, place: Place, surroundings: ToolSurroundings): Promise<void> {
  if (place.kind === "nothing") throw await missing(place, surroundings);
  if (place.kind === "folder") return await search.searchBelow(place.names);
  const { folders, name } = requireFile(place);
  await search.searchIn({ folders, names: [name] });
}

function describeTooLarge(count: number): string {
  if (count === 0) return "";
  return `[${count === 1 ? "1 file was" : `${count} files were`} too large to be searched.]\n`;
}

function describeLate(ms: number): string {
  return `[Stopped after ${ms / 1000} s: not all files were searched. Search in a folder, or with a glob.]\n`;
}
