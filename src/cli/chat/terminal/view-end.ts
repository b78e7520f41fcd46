/** More of a reply that is coming in is not on any screen, and would be made ready again with every word. */
const mostCharacters = 8000;

const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Returns the end of a reply that is coming in, from the beginning of a line on; code stays code. */
export function viewEnd(text: string): string {
  if (text.length <= mostCharacters) return text;
  const start = text.indexOf("\n", text.length - mostCharacters) + 1;
  // A line without an end is cut anywhere but within a character.
  if (start === 0) return text.slice(-mostCharacters).toWellFormed();
  return findOpenFence(text.slice(0, start)) + text.slice(start);
}

/** Returns the line that would open the block of code in which a text ends; nothing outside of one. */
function findOpenFence(text: string): string {
  let open = "";
  for (const line of text.split("\n")) {
    const found = fence.exec(line)?.[1];
    if (found === undefined) continue;
    if (open === "") open = found;
    else if (found.startsWith(open)) open = "";
  }
  return open === "" ? "" : `${open}\n`;
}
