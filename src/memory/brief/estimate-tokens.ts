/** What counts together: a word, digits, a space before anything, a line break, other space, a letter of another script, signs. */
const pieces = /([A-Z]?[a-z]+|[A-Z]+)|(\d+)|( (?=\S))|(\n)|([^\S\n]+)|(\p{L})|([!-/:-@[-`{-~]+)|./gsu;

/**
 * Returns about how many tokens a model needs for a text, rather more than fewer.
 *
 * No tokenizer is asked, because each model has its own. On English, code and real briefs the estimate is 1.0 to 1.15
 * times the count of the tokenizers cl100k and o200k; on other scripts, keys and random text it is higher.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const match of text.matchAll(pieces)) tokens += countPiece(match);
  return tokens;
}

/**
 * Returns what estimates the same for texts that share many lines, as the drafts of one text do, and counts each line once.
 *
 * Nothing that counts together reaches beyond the end of a line.
 */
export function openTokenCounter(): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const lines = text.split("\n");
    let tokens = lines.length - 1;
    for (const line of lines) {
      const count = known.get(line) ?? estimateTokens(line);
      known.set(line, count);
      tokens += count;
    }
    return tokens;
  };
}

/** A word of up to this many letters is mostly one token. */
const longestWord = 9;
/** Letters that no word has: part of a key or of random text. */
const random = /[^aeiouyAEIOUY]{5}|^[A-Z][^aeiouy]{1,2}$/;

function countPiece([found, word, digits, lead, line, space, letter, signs]: readonly (
  | string
  | undefined
)[]): number {
  if (word !== undefined) return countWord(word);
  if (digits !== undefined) return Math.ceil(digits.length / 2);
  if (lead !== undefined) return 0;
  if (line !== undefined || space !== undefined) return 1;
  if (letter !== undefined) return letter > "\u2E7F" ? 2 : 1;
  return signs === undefined ? Buffer.byteLength(found ?? "") : Math.ceil(signs.length / 3);
}

function countWord(word: string): number {
  if (random.test(word)) return Math.ceil(word.length / 1.3);
  return word.length <= longestWord ? 1 : Math.ceil(word.length / 7);
}
