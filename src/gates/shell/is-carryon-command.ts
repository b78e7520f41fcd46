import { type Argument, equals } from "./argument.ts";
import { judgeCarryon } from "./judge-carryon.ts";
import { listPlainCommands } from "./list-plain-commands.ts";

/**
 * Tells whether a command line runs `carryon`, `npx carryon` or the launcher of this path, and nothing else, to read or to
 * satisfy gates.
 *
 * A redirection to a file, a variable that is set or a substitution makes it false.
 */
export function isCarryonCommand(command: string, launcher?: string): boolean {
  const commands = listPlainCommands(command) ?? [];
  return commands.length > 0 && commands.every(({ words }) => isCall(words, launcher));
}

function isCall(words: readonly Argument[], launcher = "carryon"): boolean {
  const [program, ...rest] = words.slice(equals(words[0], "npx") ? 1 : 0);
  return (equals(program, "carryon") || equals(program, launcher)) && judgeCarryon(rest).verdict === "reads";
}
