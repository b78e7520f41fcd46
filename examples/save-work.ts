import { mkdtemp, realpath } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { openProject } from "../src/index.ts";

/** Saves where the work stands, says what stops it, and goes back to it. */
export async function saveWork(cwd: string, home: string): Promise<void> {
  const project = await openProject({ cwd, home }, "write");
  const work = await project.work({ machine: hostname(), env: process.env });

  const { files } = await work.preview();
  console.log(`${files.length} files would be committed`);

  // In a repository it also commits the work tree. Nothing is pushed with the mode "quick".
  const { state } = await work.save({ workingOn: "The login form", done: ["Form"], todo: ["Check", "Docs"] });
  console.log(`${state.completed.length} done, ${state.pending.length} left; in ${work.path}`);

  await work.addBlocker({ type: "design_issue", description: "Two owners of one lock" });
  await work.resolveBlocker("one owner now");

  // The next day: nothing is asked, merged, stashed or pushed.
  const resumed = await work.resume({ isUnderAgent: false });
  if ("loaded" in resumed) {
    const { validation, next } = resumed.loaded;
    console.log(validation.map(({ code }) => code).join(", "));
    console.log(`Go on with: ${next ?? "whatever comes next"}`);
  }

  // Each save, and each change of the blocker, is a checkpoint. An older one can be taken by its id.
  const oldest = (await work.checkpoints()).at(-1);
  if (oldest !== undefined) await work.restore(oldest.id);
  await project.store[Symbol.asyncDispose]();
}

// `node examples/save-work.ts` runs it in a scratch folder.
if (import.meta.main) {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "carryon-example-")));
  await saveWork(scratch, join(scratch, "home"));
}
