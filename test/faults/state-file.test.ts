import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { renderWorkState } from "../../src/work/render-work-state.ts";
import { readState } from "../../src/work/state-store.ts";
import { locateState } from "../../src/work/work-state.ts";
import { someState } from "../support/some-state.ts";
import { once, type StracedRun, strace } from "../support/strace.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const calls = ["?rename", "?renameat", "?renameat2", "?link", "?linkat", "fsync"];
const foreign = { ...someState, workingOn: "what somebody else does" };

/** Replaces a state of somebody else while strace does what it is told. */
async function replace(dir: TempDir, inject: readonly string[]): Promise<StracedRun> {
  const path = locateState(dir.path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, renderWorkState(foreign));
  return strace({ calls, paths: [], inject }, "change-state-child.ts", dir.path);
}

it("is there at every moment at which whoever replaces a state of somebody else may be killed", async () => {
  await using whole = await tempDir();
  const { trace, calls: made, stdout } = await replace(whole, []);
  expect(stdout).toBe("done\n");
  const moments = [...made.keys()].filter((index) => made[index]?.path.includes("session-state.json"));
  // The links and renames of the file that is kept aside, of the lock, and of the new file.
  expect(moments.length).toBeGreaterThan(2);
  for (const index of moments) {
    await using dir = await tempDir();
    await replace(dir, once(trace, index, "signal=SIGKILL"));
    const found = await readState(dir.path);
    expect([foreign.workingOn, someState.workingOn]).toContain(
      found.type === "state" ? found.state.workingOn : found,
    );
  }
});
