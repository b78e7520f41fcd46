import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { configError } from "../lib/app-error.ts";
import { launchFile } from "../lib/hook-files.ts";

/** Returns the folder that holds the store, the key and the configuration: CARRYON_HOME, or `.carryon` in the user's home. */
export function locateHome(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  const given = env.CARRYON_HOME;
  const [name, path] = given === undefined || given === "" ? ["HOME", userHome] : ["CARRYON_HOME", given];
  if (isAbsolute(path)) return name === "HOME" ? join(path, ".carryon") : path;
  throw configError("bad-home", `${name} must be an absolute path, not ${JSON.stringify(path)}.`, {
    hint: "Set CARRYON_HOME to a path that begins with /.",
  });
}

/** Tells whether a client runs our hooks: the home folder then says how they start Carryon. */
export function hasHooks(home: string): Promise<boolean> {
  // A fault of the folder is reported where the store in it is opened.
  return stat(join(home, "bin", launchFile)).then(
    () => true,
    () => false,
  );
}

/** The file in the home in which it is remembered which projects are trusted. */
export const trustFileName = "trust.json";
