import { readFile, writeFile } from "node:fs/promises";
import { writeFileAtomically } from "../../src/lib/atomic-file.ts";
import { acquireLock } from "../../src/lib/file-lock.ts";
import type { Blocker } from "../../src/work/blocker.ts";
import type { BlockerKeeper } from "../../src/work/recover.ts";
import { renderWorkState } from "../../src/work/render-work-state.ts";
import { parseWorkState } from "../../src/work/state/parse-work-state.ts";
import type { WorkState } from "../../src/work/work-state.ts";

const state: WorkState = {
  ...{
    mode: "quick",
    savedAt: new Date("2026-11-16T12:00:00Z"),
    branch: "main",
    commit: null,
    isPushed: false,
  },
  ...{ change: null, changeStatus: null, workingOn: "x", nextSteps: [], blocker: null, completed: [] },
  ...{ pending: [], session: null, modifiedFiles: [] },
};

/** Writes a state with a blocker. */
export const writeBlocker = (path: string, blocker: Blocker | null): Promise<void> =>
  writeFile(path, renderWorkState({ ...state, blocker }));

/** Reads the blocker of a state. */
export async function readBlocker(path: string): Promise<Blocker | null> {
  const parsed = parseWorkState(await readFile(path, "utf8"));
  if (parsed.type === "broken") throw new Error(JSON.stringify(parsed.problems));
  return parsed.state.blocker;
}

/** Keeps the blocker in a file of a state, under its lock. */
export function stateFileKeeper(path: string): BlockerKeeper {
  return {
    changeBlocker: async (change) => {
      const lock = await acquireLock(path, { wait: 60_000 });
      try {
        const before = await readBlocker(path);
        const after = change(before);
        if (after !== before) await writeFileAtomically(path, renderWorkState({ ...state, blocker: after }));
        return after;
      } finally {
        await lock.release();
      }
    },
  };
}
