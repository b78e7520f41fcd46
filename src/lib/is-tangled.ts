/** Longer lines are not parsed. */
const longest = 200_000;
const mostWork = 40_000_000;
const mostDocuments = 3000;

/**
 * Tells whether the text of a shell command would keep its parser busy for long.
 *
 * The parser looks from each open brace to the end of its word, and at all waiting here-documents for each new one.
 */
export function isTangled(text: string): boolean {
  if (text.length > longest) return true;
  let work = 0;
  for (const run of text.split(/\s+/)) {
    work += (run.split("{").length - 1) * run.length;
    if (work > mostWork) return true;
  }
  return text.split("<<").length > mostDocuments;
}
