import { parseIfJson } from "../../lib/parse-if-json.ts";
import { isJsonObject } from "./wire.ts";

/** The keys that rows begin with; inside a string their quotation marks would be escaped. */
const beginning =
  /\{"(?:parentUuid|isSidechain|type|uuid|timestamp|sessionId|message|attachment|leafUuid)":/g;

const attempts = 100;

/**
 * Finds a whole row at the end of a line that is no JSON.
 *
 * A client that was killed leaves half a row without a newline, and the next row stands right behind it.
 */
export function findGlued(line: Uint8Array): unknown {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("utf8");
  let left = attempts;
  for (const { index } of text.matchAll(beginning)) {
    if (left-- === 0) return undefined;
    const value = index === 0 ? undefined : parseIfJson(text.slice(index));
    if (isJsonObject(value)) return value;
  }
  return undefined;
}
