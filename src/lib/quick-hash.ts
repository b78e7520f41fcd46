/**
 * Returns 16 hex digits for a text, by FNV-1a of 64 bits: loading a better hash takes longer than all the rest of a hook.
 * Somebody can make two texts with the same digits, so that what is kept under them must say which text it is of.
 */
export function quickHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
