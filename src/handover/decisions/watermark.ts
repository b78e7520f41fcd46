import { hash } from "node:crypto";
import { toUnixLines } from "../../lib/markdown/split-lines.ts";
import { sha256 } from "../../sessions/chain.ts";
import type { ParsedDecisions } from "./parse-decisions.ts";

/** Returns the hash of an entry's lines; how they end does not count, because git may change that. */
export function digestOf(raw: string): string {
  return sha256(toUnixLines(raw));
}

/** Returns the hash of some bytes. */
export function digestOfBytes(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** Returns the link of a chain that covers the link before it and some bytes. */
export function linkOf(before: string, bytes: Uint8Array): string {
  return digestOfBytes(Buffer.concat([Buffer.from(before), bytes]));
}

/**
 * What decisions.md was when an entry had been appended. Kept outside the file, it shows later whether its bytes have
 * changed, and spares the next append from reading them.
 */
export interface Watermark {
  /** Where the bytes begin that it covers: where the one before it ends, or 0. */
  readonly from: number;
  /** Where they end. */
  readonly size: number;
  /** The highest number up to there. */
  readonly highest: number;
  /** The hash of the chain of the watermark before it, if `from` is not 0, and these bytes. */
  readonly chain: string;
  /** The hash of the last bytes, up to 4,096 of them. */
  readonly tail: string;
}

/** Tells whether decisions.md still begins with the bytes that its watermarks, oldest first, say it had. */
export function isIntact(content: Uint8Array, watermarks: readonly Watermark[]): boolean {
  const start = watermarks.findLastIndex(({ from }) => from === 0);
  if (start < 0) return true;
  let chain = "";
  return watermarks.slice(start).every(({ from, size, chain: expected }) => {
    chain = content.byteLength < size ? "" : linkOf(chain, content.subarray(from, size));
    return chain === expected;
  });
}

/**
 * Tells whether a file begins with the bytes that a watermark covers, by that one alone, where every entry was appended
 * to the one before it. False does not mean that anything was changed: then all watermarks tell.
 */
export function isUntouched(content: Uint8Array, { size, chain }: Watermark): boolean {
  if (content.byteLength < size) return false;
  const bytes = content.subarray(0, size);
  let [at, link] = [0, ""];
  for (const end of endsOfEntries(bytes)) {
    link = linkOf(link, bytes.subarray(at, end));
    at = end;
  }
  return link === chain;
}

/** Yields where the entries of a decisions.md end that were appended one by one. */
export function* endsOfEntries(content: Uint8Array): Generator<number> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf("\n\n[", at);
    at = next < 0 ? bytes.length : next + 1;
    yield at;
  }
}

/** What became of the entries that were appended. */
export interface EntryChanges {
  /** Numbers that are there with other content. */
  readonly altered: readonly number[];
  /** Numbers that are not there any more. */
  readonly missing: readonly number[];
  /** Numbers that more than one entry has. */
  readonly repeated: readonly number[];
  /** The lines, counted from 1, of the marks that a git merge has left. */
  readonly conflicts: readonly number[];
}

/** Says what was changed in a decisions.md, by the hashes of the entries that were appended to it. */
export function compareEntries(
  { decisions, problems }: ParsedDecisions,
  appended: readonly { readonly seq: number; readonly digest: string }[],
): EntryChanges {
  // Where nothing is known to have been appended there is nothing to compare with.
  const toDigest = appended.length === 0 ? () => "" : digestOf;
  const found = decisions.map(({ seq, raw }) => ({ seq, digest: toDigest(raw) }));
  const keyOf = ({ seq, digest }: { readonly seq: number; readonly digest: string }) => `${seq} ${digest}`;
  const here = new Set(found.map(keyOf));
  const lost = appended.filter((each) => !here.has(keyOf(each))).map(({ seq }) => seq);
  const numbers = new Set<number>();
  const repeated = new Set<number>();
  for (const { seq } of found) (numbers.has(seq) ? repeated : numbers).add(seq);
  return {
    altered: lost.filter((seq) => numbers.has(seq)),
    missing: lost.filter((seq) => !numbers.has(seq)),
    repeated: [...repeated],
    conflicts: problems.filter(({ code }) => code === "conflict-marker").map(({ line }) => line),
  };
}
