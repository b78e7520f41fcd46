/** What counts together, from left to right: letters, a space before a letter, other space, scripts, anything else. */
const pieces =
  /([A-Z]?[a-z]+|[A-Z]+)|( (?=[A-Za-z]))|( +)|([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])|./gsu;

/**
 * Returns how many tokens a model needs for a text, at most.
 *
 * No tokenizer is asked, because each model has its own. None that works on pairs of bytes takes more than one token a
 * byte, and that is what counts, but for four things. Letters count one token for three, capitals two for three, and
 * three or more consonants in a row, as in random text, one each; English takes one for four. A space before a word
 * belongs to it. Other spaces count one for two, where tokenizers have whole indents. A character of Chinese, Japanese or
 * Korean counts two, where their texts take about one. Against the tokenizers cl100k and o200k, English, code and these
 * scripts come out at least 1.5 times as high, and keys and other random text higher.
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

function countPiece([found, letters, lead, spaces, character]: readonly (string | undefined)[]): number {
  if (letters !== undefined) return countLetters(letters);
  if (lead !== undefined) return 0;
  if (spaces !== undefined) return Math.ceil(spaces.length / 2);
  return character === undefined ? Buffer.byteLength(found ?? "") : 2;
}

function countLetters(letters: string): number {
  if (letters.length > 1 && letters === letters.toUpperCase()) return Math.ceil((letters.length * 2) / 3);
  const consonants = (letters.match(/[^aeiouy]{3,}/gi) ?? []).join("").length;
  return consonants + Math.ceil((letters.length - consonants) / 3);
}
