import { readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { asFarAsDiskAllows, heldFile, locateHeld, readHeldFile, writeHeldRules } from "./held/held-rules.ts";

/** How long something is kept of a session that nobody has ended, in milliseconds. */
const longest = 30 * 86_400_000;

/** Lets a session be held to what the files say from now on, in all work trees. */
export function releaseSession(place: { readonly home: string; readonly session: string }): void {
  asFarAsDiskAllows(() => rmSync(locateHeld(place), { recursive: true, force: true }));
}

/** Lets all sessions of a work tree be held to what the files say from now on; returns how many there are. */
export function releaseTree({ home, root }: { readonly home: string; readonly root: string }): number {
  const here = listHeldRules({ home, root });
  // The branch stays: whoever has left it is still held to its gates.
  for (const each of here) writeHeldRules({ home, ...each }, { ...each, key: "" });
  return here.length;
}

/** Removes what is left of sessions that were never ended. */
export function sweepHeld(home: string, now: Date): void {
  for (const folder of listHeld(home)) {
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now.getTime() - changedAt > longest)
      asFarAsDiskAllows(() => rmSync(folder, { recursive: true, force: true }));
  }
}

/** Returns the rules that sessions are held to in a work tree. */
export function listHeldRules({ home, root }: { readonly home: string; readonly root: string }) {
  return listHeld(home)
    .flatMap((folder) => readHeldFile(join(folder, heldFile(root))) ?? [])
    .filter((each) => each.root === root);
}

function listHeld(home: string): readonly string[] {
  const folder = join(home, "gates");
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // No session has met gates yet.
    return [];
  }
}

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
