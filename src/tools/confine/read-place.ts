import type { Stats } from "node:fs";
import { type FileHandle, readdir } from "node:fs/promises";
import { join } from "node:path";
import { formatBytes } from "../../lib/format-bytes.ts";
import { suggest } from "../../lib/suggest.ts";
import type { ToolSurroundings } from "../tool.ts";
import { ToolRefused } from "../tool-refused.ts";
import { inFolder, openFileIn } from "./held-folder.ts";
import { type FilePlace, isWithheld, type Place } from "./place.ts";

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
