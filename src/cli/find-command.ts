import { AppError } from "../lib/app-error.ts";
import { suggest } from "../lib/suggest.ts";
import type { CommandEntry } from "./command-entry.ts";
import { commandTable } from "./command-table.ts";

/** Returns the entry of a command, or throws with the names that may have been meant. */
export function findCommand(name: string): CommandEntry {
  const entry = commandTable.get(name);
  if (entry !== undefined) return entry;
  const near = suggest(name, [...commandTable.keys(), "help"]);
  throw new AppError(`There is no command ${JSON.stringify(name.slice(0, 80))}.`, {
    kind: "usage",
    code: "unknown-command",
    hint:
      near.length === 0
        ? "List the commands with `carryon --help`."
        : `Did you mean ${near.map((each) => `\`carryon ${each}\``).join(", or ")}?`,
  });
}
