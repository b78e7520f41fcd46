import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { renderShellWord } from "../lib/shell-word.ts";

/** A text that the client offers to its user: a command or a skill. */
export interface PluginText {
  /** Its path from the folder of the client. */
  readonly name: string;
  readonly text: string;
}

/** Where each text stands in the plugin, and where the client looks for it outside of one, under the same name. */
const places = [
  ["commands/load.md", "commands/session/load.md"],
  ["commands/new.md", "commands/session/new.md"],
  ["commands/save.md", "commands/session/save.md"],
  ["commands/status.md", "commands/session/status.md"],
  ["skills/sdd-handover/SKILL.md", "skills/sdd-handover/SKILL.md"],
] as const;

/** Reads the commands and the skill of the plugin as they are installed without it: they start Carryon by its path. */
export function readPluginTexts(launcher: string): Promise<readonly PluginText[]> {
  return Promise.all(
    places.map(async ([source, name]) => {
      const path = fileURLToPath(new URL(`../../plugin/${source}`, import.meta.url));
      return { name, text: nameProgram(await readFile(path, "utf8"), launcher) };
    }),
  );
}

/** Puts a path in the place of the name wherever a text says what to run, or allows it. */
function nameProgram(text: string, launcher: string): string {
  const word = renderShellWord(launcher);
  return text.replace(/(?<=`|Bash\()carryon(?= )/g, () => word);
}
