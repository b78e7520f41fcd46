/** Longer words are no typing errors, and comparing them would cost too much. */
const MAX_LENGTH = 64;

/**
 * Returns the candidates that somebody who typed `word` may have meant, best first.
 *
 * Candidates that begin with the word come first, then those a few typing errors away; case does not count.
 */
export function suggest(word: string, candidates: Iterable<string>, max = 3): string[] {
  const typed = toLetters(word);
  if (typed.length < 2 || typed.length > MAX_LENGTH) return [];
  const tolerance = Math.max(1, Math.floor(typed.length / 3));
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, ...compare(typed, toLetters(candidate), tolerance) }))
    .filter(({ continues, errors }) => continues || errors <= tolerance)
    .sort((one, other) => Number(other.continues) - Number(one.continues) || one.errors - other.errors)
    .slice(0, max)
    .map(({ candidate }) => candidate);
}

function toLetters(word: string): string[] {
  // Cut before the text is spread, so that a long one costs no more than the longest word.
  return [...word.slice(0, MAX_LENGTH + 1).toLowerCase()];
}

function compare(typed: readonly string[], meant: readonly string[], tolerance: number) {
  const longer = meant.length - typed.length;
  if (typed.every((letter, index) => letter === meant[index])) return { continues: true, errors: longer };
  const isNear = Math.abs(longer) <= tolerance;
  return { continues: false, errors: isNear ? countErrors(typed, meant) : Number.POSITIVE_INFINITY };
}

/** Counts the letters added, left out, mistaken or swapped with their neighbour (Damerau–Levenshtein). */
function countErrors(typed: readonly string[], meant: readonly string[]): number {
  const columns = meant.length + 1;
  const table = new Uint8Array((typed.length + 1) * columns);
  const at = (row: number, column: number) => table[row * columns + column] ?? 0;
  const cost = (row: number, column: number) => {
    if (row === 0 || column === 0) return row + column;
    const mistaken = typed[row - 1] === meant[column - 1] ? 0 : 1;
    const best = Math.min(
      at(row - 1, column) + 1,
      at(row, column - 1) + 1,
      at(row - 1, column - 1) + mistaken,
    );
    const isSwapped = typed[row - 1] === meant[column - 2] && typed[row - 2] === meant[column - 1];
    return isSwapped ? Math.min(best, at(row - 2, column - 2) + 1) : best;
  };
  for (let row = 0; row <= typed.length; row += 1) {
    for (let column = 0; column < columns; column += 1) table[row * columns + column] = cost(row, column);
  }
  return at(typed.length, meant.length);
}
