import { rm } from "node:fs/promises";

/** Removes a database in the making, or what is left of one that got its name, with its side files. */
export async function discardDraft(draft: string): Promise<void> {
  for (const end of ["", "-wal", "-shm", "-journal"]) {
    try {
      await rm(`${draft}${end}`, { force: true });
    } catch {
      // How the work ended is what the caller has to know; the next sweep removes what stays.
    }
  }
}
