/** Returns a text on one line, cut at a word to so many characters. */
export function clip(text: string, most: number): string {
  // A long text is cut before its white space is looked at.
  const line = text
    .slice(0, most * 3)
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "");
  const space = cut.lastIndexOf(" ");
  return `${(space > most * 0.7 ? cut.slice(0, space) : cut).trimEnd().toWellFormed()}…`;
}
