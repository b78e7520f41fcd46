import { isAbsolute, join } from "node:path";
import { configError } from "../lib/app-error.ts";

/** Returns the folder that holds the store, the key and the configuration: CARRYON_HOME, or `.carryon` in the user's home. */
export function locateHome(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  const given = env.CARRYON_HOME;
  const [name, path] = given === undefined || given === "" ? ["HOME", userHome] : ["CARRYON_HOME", given];
  if (isAbsolute(path)) return name === "HOME" ? join(path, ".carryon") : path;
  throw configError("bad-home", `${name} must be an absolute path, not ${JSON.stringify(path)}.`, {
    hint: "Set CARRYON_HOME to a path that begins with /.",
  });
}
