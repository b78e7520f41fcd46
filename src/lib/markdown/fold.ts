/** The words that stand for an empty value in documents and in answers. */
const emptyWords: ReadonlySet<string> = new Set(["", "-", "none", "なし"]);

/** Tells whether a text says that there is nothing: `none`, `なし`, `-`, also with a full stop or as an item of a list. */
export function saysNothing(text: string): boolean {
  const [, words = ""] = /^\s*(?:[-*+]\s+)?(.*?)[.。]?\s*$/s.exec(text) ?? [];
  return emptyWords.has(words.toLowerCase());
}

/** Returns a text that a file can hold: no half of a character, and no NUL, which would make the file a binary one. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** Returns a text on one line: what stands on several is joined by single spaces. */
export function fold(text: string): string {
  return toStorable(text)
    .trim()
    .replace(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, " ");
}
