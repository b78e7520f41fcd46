import { isAbsolute, join } from "node:path";
import { AppError } from "../lib/app-error.ts";

/** Returns the folder that holds the store, the key and the configuration: CARRYON_HOME, or `.carryon` in the user's home. */
export function locateHome(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  const given = env.CARRYON_HOME;
  if (given === undefined || given === "") return join(userHome, ".carryon");
  if (isAbsolute(given)) return given;
  throw new AppError(`CARRYON_HOME must be an absolute path, not ${JSON.stringify(given)}.`, {
    kind: "config",
    code: "bad-home",
    hint: "Set CARRYON_HOME to a path that begins with /, or unset it.",
  });
}
