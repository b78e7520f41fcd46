import { decodeBody } from "../entry-codec.ts";
import type { Row, SqlRunner } from "../sql-driver.ts";

/** A body as it is stored. */
export interface StoredBody {
  readonly key: number;
  /** What was known of it when it was read; another scrub may have been faster. */
  readonly scrubbedHash: Uint8Array | null;
  /** Decompressed one at a time: all of a batch at once could be many times as much as is stored. */
  readonly readText: () => string | undefined;
}

const mostBodies = 500;
const mostBytes = 8_000_000;

/** Streams all bodies in order of their key, in batches that memory can hold. */
export async function* readBodies(runner: SqlRunner): AsyncGenerator<readonly StoredBody[]> {
  let after = -1;
  for (;;) {
    const sizes = await runner.all(
      `SELECT key, coalesce(octet_length(json), 0) + coalesce(octet_length(zstd), 0) FROM body
       WHERE key > ? ORDER BY key LIMIT ${mostBodies}`,
      [after],
    );
    const last = lastOfBatch(sizes);
    if (last === undefined) return;
    const rows = await runner.all(
      "SELECT key, scrubbed_hash, json, zstd FROM body WHERE key > ? AND key <= ? ORDER BY key",
      [after, last],
    );
    yield rows.map(fromRow);
    after = last;
  }
}

/** Returns the key up to which the bodies fit; one that is larger than all is a batch of its own. */
function lastOfBatch(sizes: readonly Row[]): number | undefined {
  let bytes = 0;
  let last: number | undefined;
  for (const [key, size] of sizes) {
    bytes += size as number;
    if (last !== undefined && bytes > mostBytes) break;
    last = key as number;
  }
  return last;
}

function fromRow([key, scrubbedHash, json, zstd]: Row): StoredBody {
  return {
    key: key as number,
    scrubbedHash: scrubbedHash as Uint8Array | null,
    readText: () => decodeBody(json, zstd),
  };
}
