import { Option } from "@commander-js/extra-typings";
import { describeDay, describeTime } from "../../lib/describe-time.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { listCheckpoints } from "../../work/list-checkpoints.ts";
import { shortenCheckpoint } from "../../work/shorten-checkpoint.ts";
import type { WorkDesk } from "../../work/work-desk.ts";
import type { Checkpoint } from "../../work/work-record.ts";
import { percentOf } from "../../work/work-state.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption } from "../parse-options.ts";
import { renderJson } from "../render-json.ts";
import { type Column, renderTable } from "../render-table.ts";
import { sayLoad } from "../work/say-load.ts";
import { workHere } from "../work/work-here.ts";

const columns: readonly Column<Checkpoint>[] = [
  { header: "ID", cell: ({ id }) => shortenCheckpoint(id) },
  { header: "WHEN", cell: ({ at }) => `${describeDay(at)} ${describeTime(at)}` },
  { header: "BRANCH", cell: ({ state }) => state.branch ?? "-", leaves: 2 },
  { header: "COMMIT", cell: ({ state }) => state.commit ?? "-", leaves: 1 },
  { header: "DONE", cell: ({ state }) => describeProgress(state), align: "right" },
  { header: "MACHINE", cell: ({ machine }) => machine ?? "here" },
  { header: "WORK", cell: ({ state }) => state.workingOn, flexible: true, minWidth: 12 },
];

function describeProgress({ completed, pending }: Checkpoint["state"]): string {
  const total = completed.length + pending.length;
  return total === 0 ? "-" : `${completed.length}/${total}`;
}

/** Lists the checkpoints of this folder and of other machines, the newest first. */
async function sayCheckpoints(
  context: CommandContext,
  desk: WorkDesk,
  { json }: { readonly json: boolean },
): Promise<void> {
  const checkpoints = await listCheckpoints(desk);
  if (json) return context.out(`${renderJson({ checkpoints: checkpoints.map(toJson) })}\n`);
  if (checkpoints.length === 0) return context.err("No checkpoint of this folder is in the log.\n");
  const options = { width: context.columns, style: context.style.bold };
  const isShared = checkpoints.some(({ machine }) => machine !== undefined);
  const shown = columns.filter(({ header }) => isShared || header !== "MACHINE");
  context.out(`${renderTable(shown, checkpoints, options)}\n`);
}

function toJson({ id, at, state, machine }: Checkpoint) {
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
    machine: machine ?? null,
  };
}

export const command = defineCommand({
  details:
    "Reads .claude/session-state.json, holds it against git, openspec and the files, and says what was being done, what has " +
    "changed since, what stops the work and what comes next. On a terminal it asks what to do. With --resume it asks " +
    "nothing: it runs the approved recovery of a blocker, goes back to the branch if the work tree is clean, and prints the " +
    "next task. It never merges, rebases, stashes or pushes by itself.",
  examples: [
    { line: "carryon load", does: "Where was I?" },
    { line: "carryon load --resume", does: "Go on without a question, also from within an agent" },
    { line: "carryon load --list", does: "Which checkpoints are there? --restore ID takes one" },
    { line: "carryon load --restore", does: "Take the last checkpoint when the file is lost or broken" },
  ],
  define: (command) =>
    command
      .option("--resume", "Clear the blocker, go back to the branch, and say what comes next")
      .option(
        "--restore [id]",
        "Take the newest checkpoint of the log where the state is gone or broken, or the one with this id",
      )
      .addOption(
        new Option("--list", "List the checkpoints, the newest first").conflicts(["resume", "restore"]),
      )
      .option("--no-ask", "Ask nothing")
      .addOption(jsonOption()),
  run: async (context, _args, { resume = false, restore = false, list = false, ask, json = false }) => {
    await catchUp(context);
    await workHere(context, (desk) =>
      list ? sayCheckpoints(context, desk, { json }) : sayLoad(context, desk, { resume, restore, ask, json }),
    );
  },
});
