/** Returns a fence of Markdown that nothing in a text can close: it is longer than any row of backticks in it. */
export function fenceFor(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
}
