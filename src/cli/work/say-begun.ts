import { toPrintableLine } from "../../lib/printable.ts";
import { wrapTalk } from "../../lib/terminal-text.ts";
import { beginTask } from "../../work/begin-task.ts";
import { readBlocker } from "../../work/change-blocker.ts";
import type { WorkDesk } from "../../work/work-desk.ts";
import type { CommandContext } from "../command-context.ts";

/** Begins with another task, and says so, also what it leaves behind. */
export async function sayBegun(context: CommandContext, desk: WorkDesk, task: string): Promise<void> {
  const blocker = await readBlocker(desk);
  const { workingOn } = await beginTask(desk, task);
  context.err(`Begun: ${toPrintableLine(workingOn)}\n`);
  if (blocker === null) return;
  const left = `Left behind, until it fails again: ${blocker.type}: ${blocker.description}`;
  context.err(`${wrapTalk(context, toPrintableLine(left))}\n`);
}
