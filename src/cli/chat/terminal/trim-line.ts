/** Takes off the spaces with which components fill their lines: a terminal that becomes narrower would break them. */
export function trimLine(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles end with an escape sequence.
  return line.replace(/ +((?:\u001B\[[\d;]*m)*)$/, "$1");
}
