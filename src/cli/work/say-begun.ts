import { toPrintableLine } from "../../lib/printable.ts";
import { beginTask } from "../../project/work/begin-task.ts";
import type { WorkDesk } from "../../project/work/work-desk.ts";
import type { CommandContext } from "../command-context.ts";

/** Begins with another task, and says so. */
export async function sayBegun(context: CommandContext, desk: WorkDesk, task: string): Promise<void> {
  const { workingOn } = await beginTask(desk, task);
  context.err(`Begun: ${toPrintableLine(workingOn)}\n`);
}
