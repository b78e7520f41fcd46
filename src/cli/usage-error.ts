import type { CommanderError } from "@commander-js/extra-typings";
import { AppError } from "../lib/app-error.ts";

/** Turns what the parser of the command line says into an error like all others. */
export function toUsageError(
  error: CommanderError,
  { command, takes }: { readonly command: string; readonly takes: "words" | "arguments" },
): AppError {
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const message = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, "");
  const suggestion = rest.join(" ").replace(/^\((.*)\)$/, "$1");
  const code = toCode(error.code);
  const isWord = takes === "words" && code === "unknown-option";
  const instead = isWord
    ? ` What begins with - and is no option stands after --: \`${command} -- -word\`.`
    : "";
  return new AppError(`${message}.`, {
    kind: "usage",
    code,
    hint: (suggestion === "" ? `See \`${command} --help\`.` : suggestion) + instead,
  });
}

/** `commander.unknownOption` becomes `unknown-option`. */
function toCode(code: string): string {
  return code.replace(/^commander\./, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
