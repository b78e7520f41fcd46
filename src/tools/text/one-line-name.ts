/** Writes a path on one line: it may have any character, and one with a line end is quoted as it has to be given. */
export function toOneLineName(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path;
}
