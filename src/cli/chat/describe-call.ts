import type { ToolCallPart } from "../../sessions/entry.ts";
import { openToolbox } from "../../tools/open-toolbox.ts";
import type { CommandContext } from "../command-context.ts";
import { describeValue } from "../transcript/describe-value.ts";

/** More of a call that nobody can describe is not for one line. */
const longest = 400;

/** Makes what says in one line what a call does: as its tool says it, else with what it was given. */
export async function makeDescriber({
  cwd,
  env,
}: Pick<CommandContext, "cwd" | "env">): Promise<(call: ToolCallPart) => string> {
  const { find } = await openToolbox({ folder: cwd, env });
  return ({ name, input }) =>
    find(name)?.describe(input) ?? `${name}  ${describeValue(input)}`.slice(0, longest);
}
