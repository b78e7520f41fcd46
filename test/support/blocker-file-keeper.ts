import { readFile, writeFile } from "node:fs/promises";
import { writeFileAtomically } from "../../src/lib/atomic-file.ts";
import { acquireLock } from "../../src/lib/file-lock.ts";
import type { Blocker } from "../../src/work/blocker.ts";
import type { BlockerKeeper } from "../../src/work/recover.ts";

/** Writes a blocker to a file. */
export const writeBlocker = (path: string, blocker: Blocker | null): Promise<void> =>
  writeFile(path, JSON.stringify(blocker));

/** Reads the blocker of a file. */
export async function readBlocker(path: string): Promise<Blocker | null> {
  const blocker = JSON.parse(await readFile(path, "utf8"));
  return blocker && { ...blocker, detectedAt: new Date(blocker.detectedAt) };
}

/** Keeps a blocker in a file, under its lock. */
export function blockerFileKeeper(path: string): BlockerKeeper {
  return {
    changeBlocker: async (change) => {
      const lock = await acquireLock(path, { wait: 60_000 });
      try {
        const before = await readBlocker(path);
        const after = change(before);
        if (after !== before) await writeFileAtomically(path, JSON.stringify(after));
        return after;
      } finally {
        await lock.release();
      }
    },
  };
}
