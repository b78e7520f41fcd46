import { hash } from "node:crypto";
import type { Entry, EntryContent } from "../sessions/entry.ts";
import { type EntryId, isName, mainStrand, type SessionId, type Strand } from "../sessions/ids.ts";
import type { Row, SqlValue } from "./sql-driver.ts";
import { EntryIsDamaged } from "./store-errors.ts";
import { compressText, decompressText } from "./zstd.ts";

/** Bodies longer than this many characters are stored compressed. */
const compressFrom = 4096;

const knownKinds = new Set(["message", "summary", "round", "checkpoint", "event"]);

/** The kind and body of an entry as they are stored. */
export interface EncodedContent {
  readonly kind: string;
  readonly body: string;
}

/** Reduces content to the text that is stored; `kind` is a column of its own. A newer writer's kind keeps its name. */
export function encodeContent(entry: EntryContent): EncodedContent {
  switch (entry.kind) {
    case "message": {
      const { role, parts, model, usage, clientMessageId, replaces, interrupted, echo } = entry;
      const body = JSON.stringify({
        role,
        parts,
        model,
        usage,
        clientMessageId,
        replaces,
        interrupted,
        echo,
      });
      return { kind: "message", body };
    }
    case "summary": {
      const { text, replaces, kept } = entry;
      return { kind: "summary", body: JSON.stringify({ text, replaces, kept }) };
    }
    case "round":
      return { kind: "round", body: JSON.stringify({ number: entry.number, data: entry.data }) };
    case "checkpoint":
      return { kind: "checkpoint", body: JSON.stringify({ state: entry.state }) };
    case "event":
      return { kind: "event", body: JSON.stringify({ event: entry.event, data: entry.data }) };
    case "other": {
      const named = entry.raw.kind;
      const isForeign = typeof named === "string" && isName(named) && !knownKinds.has(named);
      return { kind: isForeign ? named : "other", body: JSON.stringify(entry.raw) };
    }
  }
}

/** Returns the content that `encodeContent` was given, as an object of the caller's own. */
export function decodeContent(kind: string, text: string): EntryContent {
  const body: unknown = JSON.parse(text);
  if (typeof body !== "object" || body === null) throw new TypeError("A body is an object.");
  return (
    knownKinds.has(kind) ? Object.assign(body, { kind }) : { kind: "other", raw: body }
  ) as EntryContent;
}

/** The columns json and zstd of a body: exactly one of them is used. */
export function encodeBody(body: string): readonly [json: string | null, zstd: Uint8Array | null] {
  return body.length > compressFrom ? [null, compressText(body)] : [body, null];
}

/** Returns the body text, or undefined when the row has none. */
export function decodeBody(json: SqlValue | undefined, zstd: SqlValue | undefined): string | undefined {
  if (typeof json === "string") return json;
  return zstd instanceof Uint8Array ? decompressText(zstd) : undefined;
}

/** Returns what a retry is compared by: a keyed hash, from which nothing of the content can be guessed. */
export type Fingerprint = (kind: string, strand: Strand, bodyHash: string) => Uint8Array;

/** The bytes that SHA-256 works on at a time; HMAC pads its key to them. */
const blockSize = 64;

/** Makes fingerprints by HMAC-SHA-256; two plain hashes cost a fifth of an `Hmac` object, which has to be collected too. */
export function makeFingerprint(key: Uint8Array): Fingerprint {
  const pad = (byte: number) => Buffer.alloc(blockSize, byte).map((each, index) => each ^ (key[index] ?? 0));
  const inner = Buffer.concat([pad(0x36), Buffer.alloc(512)]);
  const outer = Buffer.concat([pad(0x5c), Buffer.alloc(32)]);
  return (kind, strand, bodyHash) => {
    const length = inner.write(`${kind}\0${strand}\0${bodyHash}`, blockSize, "latin1");
    outer.write(hash("sha256", inner.subarray(0, blockSize + length), "hex"), blockSize, "hex");
    return toBytes(hash("sha256", outer, "hex").slice(0, 32));
  };
}

/**
 * The columns of an entry that readers ask for, in the order that `fromRow` expects.
 *
 * The strand and the kind that nearly every entry has come as null, which costs less than making their text each time.
 */
export const entryColumns = `e.seq, e.id, e.parent, nullif(e.strand, '${mainStrand}'), nullif(e.kind, 'message'),
  e.at_ms, b.json, b.zstd`;

const entryTypes: readonly ColumnType[] = ["integer", "text", "text?", "text?", "text?", "moment"];

/** Turns a row of `entryColumns` into an entry, or returns undefined when its body is missing. */
export function fromRow(session: SessionId, row: Row): Entry | undefined {
  const [seq, id, parent, strand, kind, atMs, json, zstd] = row;
  if (!hasTypes(row, entryTypes)) throw new EntryIsDamaged(session, seq as number);
  try {
    const body = decodeBody(json, zstd);
    if (body === undefined) return undefined;
    // Adding to what was parsed is cheaper than copying it, and there may be many.
    return Object.assign(decodeContent((kind ?? "message") as string, body), {
      id: id as EntryId,
      session,
      seq: seq as number,
      parent: parent as EntryId | null,
      strand: (strand ?? mainStrand) as Strand,
      at: new Date(atMs as number),
    });
  } catch (error) {
    throw new EntryIsDamaged(session, seq as number, error);
  }
}

/** Turns a moment into the number that is stored; an invalid date would be stored as nothing. */
export function toMs(at: Date): number {
  const ms = at.getTime();
  if (Number.isNaN(ms)) throw new RangeError("A moment to be stored must be a valid date.");
  return ms;
}

/** Turns a hash in hex into the bytes that are stored. */
export function toBytes(hex: string): Uint8Array {
  return Buffer.from(hex, "hex");
}

/** Turns stored bytes into hex; null stays null. */
export function toHex(bytes: SqlValue | undefined): string | null {
  return bytes instanceof Uint8Array
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")
    : null;
}

/** What a column must hold: text, an integer, a moment in milliseconds or bytes; `?` allows null. */
export type ColumnType = "text" | "text?" | "integer" | "integer?" | "moment" | "moment?" | "bytes?";

/** The farthest moment from 1970 that a `Date` can hold. */
const farthestMs = 8.64e15;

/** Tells whether each value of a row has its type; only in a damaged file has one another. */
export function hasTypes(row: Row, types: readonly ColumnType[]): boolean {
  for (let index = 0; index < types.length; index += 1) {
    if (!hasType(row[index], types[index] as ColumnType)) return false;
  }
  return true;
}

function hasType(value: SqlValue | undefined, type: ColumnType): boolean {
  if (value === null) return type.endsWith("?");
  switch (type) {
    case "text":
    case "text?":
      return typeof value === "string";
    case "integer":
    case "integer?":
      return Number.isSafeInteger(value);
    case "moment":
    case "moment?":
      return Number.isSafeInteger(value) && Math.abs(value as number) <= farthestMs;
    case "bytes?":
      return value instanceof Uint8Array;
  }
}
