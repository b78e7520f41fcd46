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
