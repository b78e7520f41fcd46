import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { type Facts, makeAnswer, makeFactualAnswer } from "./answer.ts";
import type { CommandName } from "./host.ts";
import { reportFailure } from "./report-failure.ts";
import type { Call } from "./tool.ts";

/** What the options of a command are set to; those without a value are left out, lists are repeated. */
export type Options = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Returns options as words of a command line; a value is never taken for an option, whatever it begins with. */
export function toWords(options: Options): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().map((each) => `--${name}=${each}`);
  });
}

/** Runs a command and quotes what it said, also where it failed. */
export async function quoteCommand(
  { host, signal }: Call,
  name: CommandName,
  words: readonly string[],
  said: string,
): Promise<CallToolResult> {
  const { out, talk, error } = await host.run(name, words, signal);
  return error === undefined ? makeAnswer(said, out + talk) : reportFailure(error, out + talk);
}

/** What is made of the JSON that a command answers with. */
interface Told {
  readonly said: string;
  readonly facts: Facts;
  /** What of it others wrote. */
  readonly quoted?: string;
}

/** Runs a command that answers in JSON, and gives the facts in it. */
export async function tellFacts<Answer>(
  { host, signal }: Call,
  name: CommandName,
  words: readonly string[],
  tell: (answer: Answer) => Told,
): Promise<CallToolResult> {
  const { out, talk, error } = await host.run(name, ["--json", ...words], signal);
  if (error !== undefined) return reportFailure(error, out + talk);
  const { said, facts, quoted = "" } = tell(JSON.parse(out));
  return makeFactualAnswer(said, facts, quoted + talk);
}
