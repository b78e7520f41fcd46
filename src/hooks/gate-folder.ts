import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { foldersUp } from "../lib/folders-up.ts";
import { isHeldIn, mayMeetGates } from "../project/gates/may-have-gates.ts";
import type { HookSurroundings } from "./surroundings.ts";
import type { WireEvent } from "./wire.ts";

/**
 * Returns the folder whose gates an event meets; undefined where there are none. The file that a tool writes decides, else
 * where the client works. From a folder without gates, those of the project count that the session was begun in: nobody
 * gets round them by going elsewhere.
 */
export function chooseGateFolder(
  wire: WireEvent,
  cwd: string,
  { home, env, clientFolder }: Pick<HookSurroundings, "home" | "env"> & { readonly clientFolder: string },
): string | undefined {
  const { CLAUDE_PROJECT_DIR: begun = "" } = env;
  const folders = [...findElsewhere(wire, cwd), cwd, ...(isAbsolute(begun) ? [begun] : [])];
  const holder = { home, session: wire.session_id };
  return folders.find((folder) => mayMeetGates(folder, clientFolder) || isHeldIn(folder, holder));
}

/** Returns the folder of the file that a tool is for, if it is in another repository than the client. */
function findElsewhere({ tool_input: input }: WireEvent, cwd: string): readonly string[] {
  const { file_path: file, notebook_path: notebook } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const path = file ?? notebook;
  if (typeof path !== "string" || !isAbsolute(path)) return [];
  const folder = foldersUp(dirname(path)).find((each) => existsSync(each)) ?? cwd;
  const top = findTop(folder);
  return top === undefined || top === findTop(cwd) ? [] : [folder];
}

/** Returns the top of the work tree that a folder is in, as far as names tell. */
function findTop(folder: string): string | undefined {
  return foldersUp(folder).find((each) => existsSync(join(each, ".git")));
}
