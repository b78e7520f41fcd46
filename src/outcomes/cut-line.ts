/** Makes one line of a text, of at most so many characters. */
export function cutLine(text: string, most: number): string {
  const line = text
    .slice(0, most * 10)
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= most) return line;
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}
