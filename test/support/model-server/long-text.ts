const vocabulary =
  "the harbour keeps a quiet lamp for every boat that comes home late and someone writes each name into a long book while rain walks over the roofs until morning finds the pages dry".split(
    " ",
  );

/** Returns a text of so many words, in sentences and paragraphs. Pure: the same number gives the same text. */
export function longText(words: number): string {
  return Array.from({ length: words }, (_, index) => wordAt(index, words)).join("");
}

function wordAt(index: number, words: number): string {
  // The second term shifts each round, so that rounds differ.
  const word = vocabulary[(index + Math.floor(index / vocabulary.length) * 5) % vocabulary.length] ?? "";
  const isFirst = index % 12 === 0;
  const isLast = index % 12 === 11 || index === words - 1;
  const written = `${isFirst ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word}${isLast ? "." : ""}`;
  if (index === words - 1) return written;
  return index % 60 === 59 ? `${written}\n\n` : `${written} `;
}
