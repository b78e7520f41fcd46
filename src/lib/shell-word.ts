/** Renders a word for a POSIX shell so that it means nothing but itself. */
export function renderShellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
