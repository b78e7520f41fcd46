import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { locateLauncher } from "../install/programs.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { locateHome } from "../workspace/locate-home.ts";
import type { Caller } from "../workspace/workspace.ts";

/**
 * Returns the words that run Carryon in a shell with the caller's environment: its name if PATH has it, else the
 * launcher that `carryon init` wrote, else npx.
 */
export async function findCommand({ env, userHome }: Pick<Caller, "env" | "userHome">): Promise<string> {
  for (const folder of (env.PATH ?? "").split(delimiter))
    if (isAbsolute(folder) && (await isProgram(join(folder, "carryon")))) return "carryon";
  const launcher = locateLauncher(locateHome(env, userHome));
  return (await isProgram(launcher)) ? renderShellWord(launcher) : "npx carryon";
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Whatever stands in the way, it cannot be run.
    return false;
  }
}
