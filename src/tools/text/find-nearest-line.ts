/** A line of a text, by its number from 1 on. */
export interface NearLine {
  readonly number: number;
  readonly text: string;
  /** Whether it differs only in white space. */
  readonly isSpacing: boolean;
}

/** How many lines are compared, and how much of each: to say what is near is worth only so much. */
const [mostLines, longest] = [10_000, 200];

/** How much of two lines must be the same, from 0 to 1. */
const alike = 0.5;

/** Finds the line that is most like the first line of a text that was looked for in vain; undefined where none is like it. */
export function findNearestLine(lines: readonly string[], wanted: string): NearLine | undefined {
  const line = wanted.split(/\r?\n/).find((each) => each.trim() !== "");
  if (line === undefined) return undefined;
  const squeezed = squeeze(line);
  const same = lines.findIndex((each) => squeeze(each) === squeezed);
  if (same !== -1) return { number: same + 1, text: lines[same] ?? "", isSpacing: true };
  const pairs = pairsOf(line);
  let best = { number: 0, share: 0 };
  lines.slice(0, mostLines).forEach((each, at) => {
    const share = shareOf(pairs, pairsOf(each));
    if (share > best.share) best = { number: at + 1, share };
  });
  if (best.share < alike) return undefined;
  return { number: best.number, text: lines[best.number - 1] ?? "", isSpacing: false };
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

/** Counts the pairs of characters that stand next to each other. */
function pairsOf(line: string): ReadonlyMap<string, number> {
  const text = squeeze(line.slice(0, longest)).toLowerCase();
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Returns which part of all pairs two lines have in common (Dice's coefficient). */
function shareOf(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let common = 0;
  for (const [pair, count] of one) common += Math.min(count, other.get(pair) ?? 0);
  const all = sizeOf(one) + sizeOf(other);
  return all === 0 ? 0 : (2 * common) / all;
}

function sizeOf(pairs: ReadonlyMap<string, number>): number {
  let size = 0;
  for (const count of pairs.values()) size += count;
  return size;
}
