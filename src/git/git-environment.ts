import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The variables that git has when it is asked: those of this process. */
export function gitEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Tells whether there is a git to ask. What its files say counts only where git itself would say it. */
export function isGitThere(): boolean {
  if (process.platform === "win32") return false;
  const folders = (gitEnvironment().PATH ?? "").split(delimiter);
  return folders.some((folder) => isAbsolute(folder) && mayRun(join(folder, "git")));
}

function mayRun(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not for this user: git is looked for in the next folder.
    return false;
  }
}
