/** Returns a fence of Markdown that nothing in a text can close: it is longer than any row of backticks in it. */
export function fenceFor(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
}

/** The marks by which clients tell their model who speaks: what stands between them is not quoted any more. */
const frames =
  /<(?=\/?(?:system-reminder|system|user|assistant|human|function_\w+|tool_\w+|invoke|antml:\w+|(?:local-)?command-[\w-]+|bash-[\w-]+|task-notification)\b)/gi;

/** Returns a text in which no mark of a client begins; it can still be read. */
export function withoutFrames(text: string): string {
  return text.replaceAll(frames, "‹");
}
