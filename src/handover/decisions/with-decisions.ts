import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed, refuseSpecialFile, symlinkRefused } from "../../lib/file-error.ts";
import { refuseLinks } from "../../lib/read-below.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { locateHandover } from "../handover-folder.ts";

/** Returns the bytes of decisions.md, however many: a log of many years may be longer than other documents. */
export function readAllDecisions(place: HandoverPlace): Promise<Uint8Array | undefined> {
  return withDecisions(place, (handle) => handle.readFile());
}

const searchBlock = 1 << 18;

/** Tells whether decisions.md holds a text anywhere: looking through its bytes takes a fraction of parsing it. */
export async function holdsText(place: HandoverPlace, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  const block = Buffer.alloc(Math.max(searchBlock, wanted.length * 2));
  const found = await withDecisions(place, async (handle) => {
    // Two blocks overlap, since the text may begin in one and end in the next.
    for (let at = 0; ; at += block.length - wanted.length) {
      const { bytesRead } = await handle.read(block, 0, block.length, at);
      if (block.subarray(0, bytesRead).includes(wanted)) return true;
      if (bytesRead < block.length) return false;
    }
  });
  return found ?? false;
}

/** Returns a text that changes with every change of decisions.md; undefined when there is no such file. */
export function readStamp(place: HandoverPlace): Promise<string | undefined> {
  return withDecisions(place, stampOf);
}

/** Returns a text that changes with every change of an open file. */
export async function stampOf(handle: FileHandle): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/**
 * Lets decisions.md be read, and returns what came of it; undefined when there is no such file. A symbolic link on the
 * way to it is refused.
 */
export async function withDecisions<Result>(
  place: HandoverPlace,
  read: (handle: FileHandle, path: string) => Promise<Result>,
): Promise<Result | undefined> {
  const path = locateHandover(place).decisions;
  try {
    await refuseLinks(place.root, path);
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK);
    try {
      refuseSpecialFile(path, await handle.stat());
      return await read(handle, path);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return undefined;
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : readFailed(path, error);
  }
}
