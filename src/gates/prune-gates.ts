import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { listBranches } from "../git/list-branches.ts";
import { writeFailed } from "../lib/file-error.ts";
import { acquireLock } from "../lib/file-lock.ts";
import type { GateDesk } from "./gate-desk.ts";
import { listSessions, type RegistryPlace, unregisterSession } from "./registry.ts";
import { listBranchFiles } from "./state/list-branch-files.ts";
import { refuseLinkedFolders } from "./state/problem.ts";

/** What was removed. */
export interface Pruned {
  /** The branches that are gone. */
  readonly branches: readonly string[];
  /** How many sessions that ended were still listed as live. */
  readonly sessions: number;
}

/** Removes the state of branches that are gone, and sessions that ended from the list of those that live. */
export async function pruneGates(desk: GateDesk): Promise<Pruned> {
  return {
    branches: await pruneBranches(desk),
    sessions: await dropGone({ path: desk.registry, clock: desk.clock }),
  };
}

/** A file that cannot be read, or does not say whose it is, stays. */
async function pruneBranches({ place, root }: GateDesk): Promise<readonly string[]> {
  const folder = place?.folder;
  if (folder === undefined) return [];
  refuseLinkedFolders([folder]);
  if (listBranchFiles(folder).length === 0) return [];
  const known = await listBranches(root);
  if (known === undefined) return [];
  const lock = await acquireLock(join(folder, "state"), { leave: "nothing" });
  try {
    const gone = listBranchFiles(folder).filter(({ branch }) => !known.has(branch));
    for (const { path } of gone) await unlink(path);
    return gone.map(({ branch }) => branch);
  } catch (error) {
    throw writeFailed(folder, error);
  } finally {
    await lock.release();
  }
}

/** Takes the sessions out of the registry whose clients are gone; returns how many there were. */
async function dropGone(place: RegistryPlace): Promise<number> {
  const gone = (await listSessions(place)).sessions.filter(({ liveness }) => liveness === "gone");
  const [first] = gone;
  // Any change drops all that are gone.
  const failure = first && (await unregisterSession(place, first.fullId ?? first.key)).failure;
  if (failure !== undefined) throw failure;
  return gone.length;
}
