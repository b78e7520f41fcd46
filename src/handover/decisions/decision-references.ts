/** The most numbers that a range may stand for: a typing error must not become a list of millions. */
const longestRange = 1000;

/** Returns the numbers of the decisions that a text refers to, such as `(D4)`, `ref D2`, `**D216**: …` or `(D8-D16)`. */
export function decisionReferences(text: string): readonly number[] {
  const found = new Set<number>();
  const pattern = /(?<![\p{L}\p{N}_-])D(\d{1,9})(?:\s*[-–—~〜]\s*D?(\d{1,9}))?(?![\p{L}\p{N}_])/gu;
  for (const [, first = "", last = first] of text.matchAll(pattern)) {
    const [from, to] = [Number(first), Number(last)];
    for (let seq = from; seq <= Math.min(to, from + longestRange); seq += 1) found.add(seq);
    found.add(from);
  }
  return [...found];
}
