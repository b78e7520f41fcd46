import type { CommanderError } from "@commander-js/extra-typings";
import { AppError } from "../lib/app-error.ts";

/** Turns what the parser of the command line says into an error like all others. */
export function toUsageError(error: CommanderError, command: string): AppError {
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const message = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, "");
  const suggestion = rest.join(" ").replace(/^\((.*)\)$/, "$1");
  return new AppError(`${message}.`, {
    kind: "usage",
    code: toCode(error.code),
    hint: suggestion === "" ? `See \`${command} --help\`.` : suggestion,
  });
}

/** `commander.unknownOption` becomes `unknown-option`. */
function toCode(code: string): string {
  return code.replace(/^commander\./, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
