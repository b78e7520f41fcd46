import { join } from "node:path";

/** The names of the files in the folder `bin` of the home: the hook that clients run, and what it may load. */
export const hookFile = "carryon-hook.cjs";
export const redactionFile = "carryon-redaction.cjs";
export const gatesFile = "carryon-gates.cjs";

/** All of them, the one that clients run first; what answers for gates is made of a part for every call and parts for few. */
export const hookFiles: readonly [string, ...string[]] = [
  hookFile,
  redactionFile,
  gatesFile,
  ...["base", "writer", "shell", "patterns", "config", "rolldown-runtime"].map(
    (part) => `carryon-gates-${part}.cjs`,
  ),
];

/** The file beside them in which `carryon init` says how Carryon is started. */
export const launchFile = "carryon.json";

/** The word with which a hook asks Carryon itself. */
export const hookWord = "__hook";

/** What it asks for where a session has its brief and the rest of what a start calls for took too long. */
export const restWord = "rest";

/** The scripts beside them that need no path of this machine to be known: Carryon itself, and the hook. */
export const launcherFile = "carryon";
export const hookScript = "carryon-hook";

/** Returns where a program that clients run is. */
export function locateProgram(home: string, name: string): string {
  return join(home, "bin", name);
}

/** Returns the program by which commands, the plugin and MCP start Carryon, whatever PATH is. */
export function locateLauncher(home: string): string {
  return locateProgram(home, launcherFile);
}

/**
 * The variable that says to our hooks in a client that its session begins with the brief already.
 *
 * It is for the start alone: after `/clear` or a compaction the brief has to be told anew.
 */
export const briefGiven = { name: "CARRYON_BRIEF", value: "given" } as const;
