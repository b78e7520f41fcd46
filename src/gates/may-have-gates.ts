import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { foldersUp } from "../lib/folders-up.ts";
import { locateProjectFiles } from "./gate-places.ts";
import { heldFile, locateHeld } from "./held/held-rules.ts";

/** Tells whether any file says anything of gates; three looks at the disk. */
export function mayHaveGates(root: string, clientFolder: string): boolean {
  const { project, local } = locateProjectFiles(root);
  return [locateUserFile(clientFolder), project, local].some((path) => existsSync(path));
}

/** Tells the same for a folder somewhere in a work tree, without finding out where its top is. */
export function mayMeetGates(cwd: string, clientFolder: string): boolean {
  for (const folder of foldersUp(cwd)) {
    if (mayHaveGates(folder, clientFolder)) return true;
    if (existsSync(join(folder, ".git"))) return false;
  }
  return false;
}

/** Tells whether a session is held to rules in the work tree that a folder is in, wherever their files have gone. */
export function isHeldIn(
  folder: string,
  holder: { readonly home: string; readonly session: string },
): boolean {
  const held = locateHeld(holder);
  if (!existsSync(held)) return false;
  const top = foldersUp(folder).find((each) => existsSync(join(each, ".git")));
  return top !== undefined && existsSync(join(held, heldFile(realpathSync(top))));
}

/** Returns the file of the user's own gates, in the folder of the client. */
export function locateUserFile(clientFolder: string): string {
  return join(clientFolder, "requirements.yaml");
}

/** Tells whether variables say that all gates are turned off; whether the user has set them is another question. */
export function isSkipped(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env.CLAUDE_SKIP_REQUIREMENTS ?? "") !== "";
}
