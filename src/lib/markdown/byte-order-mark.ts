/** Returns a text without the byte order mark that it may begin with. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Returns the byte order mark that a text begins with, or "". */
export function markOf(text: string): string {
  return text.startsWith("\uFEFF") ? "\uFEFF" : "";
}
