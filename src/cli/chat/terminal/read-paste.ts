const start = "\u001B[200~";
const end = "\u001B[201~";

/** Returns the text of a paste as a terminal sends it, with line feeds; undefined for anything else. */
export function readPaste(data: string): string | undefined {
  if (!data.startsWith(start)) return undefined;
  const place = data.indexOf(end);
  // Terminals send a carriage return for each line end.
  return data.slice(start.length, place === -1 ? data.length : place).replace(/\r\n?/g, "\n");
}

/** Returns what a terminal would send for a paste. */
export function renderPaste(text: string): string {
  return start + text + end;
}
