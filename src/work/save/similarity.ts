/**
 * Returns how much of two contents is the same, from 0 to 1: the bytes of the lines that both have, of the larger one.
 *
 * As git finds files that were moved and changed; where lines stand does not matter.
 */
export function similarityOf(one: Buffer, other: Buffer): number {
  const largest = Math.max(one.length, other.length);
  if (largest === 0) return 1;
  const counts = new Map<string, number>();
  for (const line of linesOf(one)) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of linesOf(other)) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    common += line.length;
  }
  return common / largest;
}

/** Lines with their ends, a character for each byte. */
function linesOf(bytes: Buffer): readonly string[] {
  return bytes.toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
