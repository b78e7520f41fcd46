/**
 * Returns 16 hex digits for a text, by FNV-1a of 32 bits from two beginnings: loading a better hash takes longer than all
 * the rest of a hook, and so does calculating with larger numbers. Somebody can make two texts with the same digits, so
 * that what is kept under them must say which text it is of.
 */
export function quickHash(text: string): string {
  const bytes = Buffer.from(text);
  return [0x811c9dc5, 0x9e3779b9].map((beginning) => hashFrom(beginning, bytes)).join("");
}

function hashFrom(beginning: number, bytes: Buffer): string {
  let hash = beginning;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
