import { buffer } from "node:stream/consumers";
import { AppError } from "../../lib/app-error.ts";
import { literalPattern, regexPattern, type TextPattern } from "../../redaction/text-pattern.ts";
import type { CommandContext } from "../command-context.ts";

export interface PatternChoice {
  readonly regex: boolean;
  readonly ignoreCase: boolean;
}

/** Makes the pattern that was given, or for `-` the one that is typed unseen on the terminal or comes from a pipe. */
export async function readPattern(
  context: CommandContext,
  given: string,
  { regex, ignoreCase }: PatternChoice,
): Promise<TextPattern> {
  const text = given === "-" ? await readText(context) : given;
  return regex ? regexPattern(text, { ignoreCase }) : literalPattern(text, { ignoreCase });
}

/** All lines of a pipe, so that of a private key not only the first is taken; the newline at the end is none of them. */
async function readText(context: CommandContext): Promise<string> {
  const text = context.isTerminal.input
    ? ((await context.askSecret("What is to be scrubbed?")) ?? "")
    : (await buffer(context.input)).toString("utf8").replace(/\r?\n$/, "");
  if (text !== "") return text;
  throw new AppError("No pattern was given.", {
    kind: "usage",
    code: "bad-pattern",
    hint: "With -, the pattern comes from standard input.",
  });
}
