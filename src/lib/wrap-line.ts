import { wrap } from "./terminal-text.ts";

/**
 * Breaks a line at words where the terminal ends, and begins what follows with an indent; in a pipe it stays as it is.
 *
 * There is room for the indent before the first line too, where the name of a fact stands.
 */
export function wrapLine(text: string, columns: number | undefined, indent = ""): string {
  if (columns === undefined) return text;
  const [first = "", ...others] = wrap(text, columns - indent.length).split("\n");
  return [first, ...others.map((line) => `${indent}${line}`)].join("\n");
}

/** Breaks a line that goes to standard error, unless that is a pipe. Both outputs are the same terminal. */
export function wrapTalk(
  {
    columns,
    isTerminal,
  }: { readonly columns: number | undefined; readonly isTerminal: { readonly error: boolean } },
  text: string,
): string {
  return isTerminal.error ? wrapLine(text, columns, talkIndent(text)) : text;
}

/** What is quoted stays where it stands. */
function talkIndent(text: string): string {
  return /^ */.exec(text)?.[0] ?? "";
}
