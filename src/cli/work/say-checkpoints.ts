import { listCheckpoints } from "../../project/work/list-checkpoints.ts";
import type { WorkDesk } from "../../project/work/work-desk.ts";
import type { Checkpoint } from "../../project/work/work-record.ts";
import { percentOf } from "../../work/state/work-state.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { type Column, renderTable } from "../render-table.ts";
import { describeDay, describeTime } from "../transcript/describe-time.ts";

/** How much of an id is enough to name a checkpoint: its end, because the beginning is the time. */
const shownId = 12;

const columns: readonly Column<Checkpoint>[] = [
  { header: "ID", cell: ({ id }) => id.slice(-shownId) },
  { header: "WHEN", cell: ({ at }) => `${describeDay(at)} ${describeTime(at)}` },
  { header: "BRANCH", cell: ({ state }) => state.branch ?? "-", leaves: 2 },
  { header: "COMMIT", cell: ({ state }) => state.commit ?? "-", leaves: 1 },
  { header: "DONE", cell: ({ state }) => describeProgress(state), align: "right" },
  { header: "WORK", cell: ({ state }) => state.workingOn, flexible: true, minWidth: 12 },
];

function describeProgress({ completed, pending }: Checkpoint["state"]): string {
  const total = completed.length + pending.length;
  return total === 0 ? "-" : `${completed.length}/${total}`;
}

/** Lists the checkpoints of this folder, the newest first. */
export async function sayCheckpoints(
  context: CommandContext,
  desk: WorkDesk,
  { json }: { readonly json: boolean },
): Promise<void> {
  const checkpoints = await listCheckpoints(desk);
  if (json) return context.out(`${renderJson({ checkpoints: checkpoints.map(toJson) })}\n`);
  if (checkpoints.length === 0) return context.err("No checkpoint of this folder is in the log.\n");
  const options = { width: context.columns, style: context.style.bold };
  context.out(`${renderTable(columns, checkpoints, options)}\n`);
}

function toJson({ id, at, state }: Checkpoint) {
  const total = state.completed.length + state.pending.length;
  return {
    id,
    at: at.toISOString(),
    saved_at: state.savedAt.toISOString(),
    mode: state.mode,
    git_branch: state.branch,
    git_commit: state.commit,
    working_on: state.workingOn,
    task_progress: {
      completed: state.completed.length,
      total,
      percentage: percentOf(state.completed.length, total),
    },
    blocker: state.blocker?.type ?? null,
  };
}
