/** Returns the value of a JSON text; undefined for a text that is none, or only the beginning of one. */
export function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Tells whether a value is nested deeper than so many levels. Looks no further down, however deep it is. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  const parts: readonly unknown[] = Object.values(value);
  if (levels === 0) return parts.length > 0;
  // A loop, because every row of a transcript passes here.
  for (const part of parts) {
    if (typeof part === "object" && part !== null && isDeeperThan(part, levels - 1)) return true;
  }
  return false;
}
