import type { BinaryLike, Hash, KeyObject } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { sha256Slowly } from "./sha256-slowly.ts";

/**
 * What `node:crypto` does, for a program of a moment that hashes a few kilobytes: loading it takes longer than that.
 *
 * Bundles take it in the place of `node:crypto`: see scripts/bundle-start.ts. Where there is more to do, or anything else,
 * the module itself is loaded.
 */

/** How many bytes are hashed before it pays to load what hashes fast. */
let slowBytes = 65_536;

const load = () => process.getBuiltinModule("node:crypto");

/** Returns the digest in hex digits. */
export function hash(algorithm: string, data: string | Uint8Array, encoding: "hex"): string {
  const bytes = toBytes(data);
  return isForSlow(algorithm, bytes.length)
    ? sha256Slowly(bytes).toString(encoding)
    : load().hash(algorithm, bytes, encoding);
}

/** Begins a hash to which parts are added. */
export function createHash(algorithm: string): Pick<Hash, "update" | "digest"> {
  return new GatheredHash(algorithm) as unknown as Pick<Hash, "update" | "digest">;
}

/** Gathers a few bytes before it is known whether there are more. */
class GatheredHash {
  readonly #algorithm: string;
  readonly #parts: Uint8Array[] = [];
  #size = 0;
  #fast: Hash | undefined;

  constructor(algorithm: string) {
    this.#algorithm = algorithm;
  }

  update(data: string | Uint8Array): this {
    // The caller may change what it gave.
    const bytes = typeof data === "string" ? Buffer.from(data) : Buffer.copyBytesFrom(data);
    this.#size += bytes.length;
    if (this.#fast === undefined && this.#size <= slowBytes) this.#parts.push(bytes);
    else this.#hasten().update(bytes);
    return this;
  }

  digest(encoding: "hex" | "base64"): string {
    if (this.#fast !== undefined || !isForSlow(this.#algorithm, this.#size))
      return this.#hasten().digest(encoding);
    return sha256Slowly(Buffer.concat(this.#parts)).toString(encoding);
  }

  #hasten(): Hash {
    if (this.#fast === undefined) {
      this.#fast = load().createHash(this.#algorithm);
      for (const part of this.#parts) this.#fast.update(part);
    }
    return this.#fast;
  }
}

/** Keeps a key until something is made with it. */
export function createSecretKey(key: Uint8Array): KeyObject {
  return { key } as unknown as KeyObject;
}

/** Begins a keyed hash. */
export function createHmac(algorithm: string, { key }: { readonly key: BinaryLike }) {
  return load().createHmac(algorithm, key);
}

/** Random bytes that nobody has got yet. */
let pool: Buffer = Buffer.alloc(0);

/** Returns random bytes of the system, which gives them without anything being loaded. */
export function randomBytes(size: number): Buffer {
  if (size > pool.length) pool = readRandom(Math.max(size, 256)) ?? load().randomBytes(size);
  const bytes = pool.subarray(0, size);
  pool = pool.subarray(size);
  return bytes;
}

/** Undefined where the system has no file of them. */
function readRandom(size: number): Buffer | undefined {
  const bytes = Buffer.alloc(size);
  try {
    const source = openSync("/dev/urandom", "r");
    try {
      return readSync(source, bytes) === size ? bytes : undefined;
    } finally {
      closeSync(source);
    }
  } catch {
    // It is another system, or nobody may look there.
    return undefined;
  }
}

function isForSlow(algorithm: string, size: number): boolean {
  if (algorithm !== "sha256" || size > slowBytes) return false;
  slowBytes -= size;
  return true;
}

function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? Buffer.from(data) : data;
}
