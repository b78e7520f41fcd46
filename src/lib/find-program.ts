import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { renderShellWord } from "./shell-word.ts";

/**
 * Returns the words that run Carryon in a shell with this PATH: its name if PATH has it, else the launcher that
 * `carryon init` wrote; undefined where neither can be run.
 */
export function findProgram(path: string | undefined, launcher: string): string | undefined {
  const folders = (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  if (folders.some((folder) => isProgram(join(folder, "carryon")))) return "carryon";
  return isProgram(launcher) ? renderShellWord(launcher) : undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Whatever stands in the way, it cannot be run.
    return false;
  }
}
