/** A program and its arguments; never a line for a shell. */
export type Command = readonly [program: string, ...args: readonly string[]];

/** What a system may be given at once is far more; what a person approves is far less. */
const [mostWords, mostCharacters] = [1000, 100_000];

/** Says what keeps words from being a command; undefined where nothing does. */
export function whyNoCommand(words: readonly string[]): string | undefined {
  const [program = ""] = words;
  if (program.trim() === "") return "it names no program";
  if (words.some((word) => word.includes("\0"))) return "it has a NUL character";
  if (words.length > mostWords || words.join("").length > mostCharacters) return "it is too long";
  return undefined;
}

/** Tells whether a value is a command. */
export function isCommand(value: unknown): value is Command {
  return (
    Array.isArray(value) &&
    value.every((word) => typeof word === "string") &&
    whyNoCommand(value) === undefined
  );
}
