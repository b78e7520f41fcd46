import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { heldFile, locateHeld, readHeldFile } from "./held/held-rules.ts";

/** Returns the work trees in which a session is held to rules, but for one that is known. */
export function listHeldRoots(
  place: { readonly home: string; readonly session: string },
  known?: string,
): readonly string[] {
  const folder = locateHeld(place);
  try {
    const own = known === undefined ? undefined : heldFile(realpathSync(known));
    const names = readdirSync(folder).filter((name) => /^[0-9a-f]{16}\.json$/.test(name) && name !== own);
    return names.flatMap((name) => readHeldFile(join(folder, name))?.root ?? []);
  } catch {
    // It has met no gates yet.
    return [];
  }
}
