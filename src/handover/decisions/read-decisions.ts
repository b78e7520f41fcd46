import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed, refuseSpecialFile, symlinkRefused } from "../../lib/file-error.ts";
import { unreadable } from "../../lib/markdown/read-document.ts";
import { refuseLinks } from "../../lib/read-below.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { DocumentRecord, type RecordSite } from "../document-record.ts";
import { locateHandover } from "../handover-folder.ts";
import { type FoundDecision, parseDecisions, parseHead } from "./parse-decisions.ts";
import { announced } from "./recorded-decisions.ts";
import { digestOf } from "./watermark.ts";

/** Bytes; twenty entries have room in it. */
const firstBlock = 1 << 14;

/**
 * Returns the last entries of a decisions.md in the order of the file; none when there is no file.
 *
 * Reads from the end, so that it costs the same whatever came before. Lines are counted from where it began to read.
 */
export async function readLastDecisions(
  place: HandoverPlace,
  last: number,
): Promise<readonly FoundDecision[]> {
  if (last === Number.POSITIVE_INFINITY) return readEnd(place, last, () => true);
  const found = await readEnd(place, firstBlock, (decisions) => decisions.length >= last);
  return last === 0 ? [] : found.slice(-last);
}

/**
 * Returns the last entries of a decisions.md from one that is wanted on, and maybe some before it; all of them when there
 * is none. Reads from the end.
 */
export function readDecisionsSince(
  place: HandoverPlace,
  isWanted: (decision: FoundDecision) => boolean,
): Promise<readonly FoundDecision[]> {
  return readDecisionsUntil(place, (decisions) => decisions.some(isWanted));
}

/** Returns the last entries of a decisions.md, read from the end until they are enough; all of them when they never are. */
export function readDecisionsUntil(
  place: HandoverPlace,
  isEnough: (decisions: readonly FoundDecision[]) => boolean,
): Promise<readonly FoundDecision[]> {
  return readEnd(place, firstBlock, isEnough);
}

/** Reads the end of a file, so many bytes and then ever more, until its entries are enough or there are no others. */
async function readEnd(
  place: HandoverPlace,
  bytes: number,
  isEnough: (decisions: readonly FoundDecision[]) => boolean,
): Promise<readonly FoundDecision[]> {
  const found = await withDecisions(place, async (handle, path) => {
    const { size } = await handle.stat();
    for (let length = bytes; ; length *= 4) {
      const start = Math.max(0, size - length);
      const { decisions } = parseDecisions(decodeDecisions(path, await readFrom(handle, start, size)));
      if (length >= size || isEnough(decisions)) return decisions;
    }
  });
  return found ?? [];
}

async function readFrom(handle: FileHandle, start: number, size: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
  const bytes = buffer.subarray(0, bytesRead);
  // What the block begins with may be the rest of a line, or of a character.
  return start === 0 ? bytes : bytes.subarray(bytes.indexOf(0x0a) + 1);
}

/** Returns the bytes of decisions.md, however many: a log of many years may be longer than other documents. */
export function readAllDecisions(place: HandoverPlace): Promise<Uint8Array | undefined> {
  return withDecisions(place, (handle) => handle.readFile());
}

/** Returns those of some numbers that no entry of decisions.md has. Reads from the end, no further than to the last of them. */
export async function withoutNumbers(
  place: HandoverPlace,
  numbers: readonly number[],
): Promise<ReadonlySet<number>> {
  const missing = new Set(numbers);
  if (missing.size === 0) return missing;
  await withDecisions(place, async (handle) => {
    const { size } = await handle.stat();
    for (let length = firstBlock; ; length *= 4) {
      const bytes = Buffer.from(await readFrom(handle, Math.max(0, size - length), size));
      for (const line of bytes.toString("latin1").split(/[\n\r]/)) missing.delete(parseHead(line)?.seq ?? 0);
      if (missing.size === 0 || length >= size) return;
    }
  });
  return missing;
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
async function withDecisions<Result>(
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

/**
 * Returns the text of decisions.md, or of its end from the beginning of a line on. Throws when it is none.
 *
 * Half a character at the end is left out: a writer that lost its power may have left it.
 */
export function decodeDecisions(path: string, bytes: Uint8Array): string {
  try {
    if (bytes.includes(0)) throw new TypeError("NUL");
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch (cause) {
    throw unreadable(path, "it is binary, or not UTF-8", cause);
  }
}

/** How many notes of the log are looked through beside two for each decision: those of entries that others took away. */
const more = 160;

/** Returns those of the latest decisions that this user's log has; none where nothing was ever recorded. */
export async function keepOwn(
  site: RecordSite | undefined,
  decisions: readonly FoundDecision[],
): Promise<readonly FoundDecision[]> {
  if (site === undefined || decisions.length === 0) return [];
  const known = new Set<unknown>();
  const notes = new DocumentRecord(site, "decisions.md").read(2 * decisions.length + more);
  for await (const { event, data } of notes) if (event === announced) known.add(data.digest);
  return decisions.filter(({ raw }) => known.has(digestOf(raw)));
}

/** Tells whether this user's log has any of the decisions of a document. Most often it has one of the last. */
export async function hasOwn(site: RecordSite, place: HandoverPlace): Promise<boolean> {
  for (const last of [20, Number.POSITIVE_INFINITY])
    if ((await keepOwn(site, await readLastDecisions(place, last))).length > 0) return true;
  return false;
}

/**
 * Returns those of some logged decisions that decisions.md does not have: git may have brought them. Without a place none
 * of them counts as written there.
 *
 * Reads the document from its end, no further than to the last of them.
 */
export async function withoutWritten<Logged extends Pick<FoundDecision, "seq"> & { readonly digest: string }>(
  place: HandoverPlace | undefined,
  logged: readonly Logged[],
): Promise<readonly Logged[]> {
  if (place === undefined || logged.length === 0) return logged;
  const numbers = new Set(logged.map(({ seq }) => seq));
  const missingIn = (decisions: readonly FoundDecision[]) => {
    const same = decisions.filter(({ seq }) => numbers.has(seq));
    const found = new Set(same.map(({ raw }) => digestOf(raw)));
    return logged.filter(({ digest }) => !found.has(digest));
  };
  return missingIn(await readDecisionsUntil(place, (decisions) => missingIn(decisions).length === 0));
}
