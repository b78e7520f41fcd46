import { classifyCommand } from "../../gates/classify-command.ts";
import type { GateDesk } from "../../gates/gate-desk.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import type { GateRequest } from "./gate-request.ts";

/**
 * Says what a command is taken for. One word is a whole command line; several are those of one command. What is wrong with the
 * configuration is said beside it: a gate that was left out does not ask for the command.
 */
export async function explain(
  context: CommandContext,
  { read }: GateDesk,
  { names }: GateRequest,
): Promise<void> {
  for (const { file, line, problem, hint } of read.problems)
    context.warn(`${file}, line ${line}: ${problem} ${hint}`);
  const [only = "", ...rest] = names;
  const command = rest.length === 0 ? only : names.map(renderShellWord).join(" ");
  const { verdict, why } = classifyCommand(command);
  context.out(`${renderJson({ verdict, why: toPrintableLine(why) })}\n`);
}
