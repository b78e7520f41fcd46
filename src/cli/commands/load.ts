import { Option } from "@commander-js/extra-typings";
import { isUnderAgent } from "../../gates/is-under-agent.ts";

import { describeMoment, describeTime } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { wrapLine } from "../../lib/terminal-text.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { type Loaded, type LoadedWork, loadWork } from "../../work/load.ts";
import {
  describeAdvice,
  describeResumed,
  renderLoad,
  shortenCheckpoint,
  toLoadJson,
} from "../../work/render-load.ts";
import { listCheckpoints, restoreCheckpoint, takeCheckpoint } from "../../work/restore-checkpoint.ts";
import { resumeWork } from "../../work/resume.ts";
import { describeMissing, toMissingError } from "../../work/tell-blocker.ts";
import type { WorkDesk } from "../../work/work-desk.ts";
import type { Checkpoint } from "../../work/work-record.ts";
import { progressOf } from "../../work/work-state.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { say } from "../phrases.ts";
import { type Column, renderTable } from "../render-table.ts";
import { askLoad } from "../work/ask-load.ts";
import { mayAsk, workHere } from "../work/work-here.ts";

const columns: readonly Column<Checkpoint>[] = [
  { header: "ID", cell: ({ id }) => shortenCheckpoint(id) },
  { header: "WHEN", cell: ({ at }) => describeMoment(at) },
  { header: "BRANCH", cell: ({ state }) => state.branch ?? "-", leaves: 2 },
  { header: "COMMIT", cell: ({ state }) => state.commit ?? "-", leaves: 1 },
  { header: "DONE", cell: ({ state }) => describeProgress(state), align: "right" },
  { header: "MACHINE", cell: ({ machine }) => machine ?? "here" },
  { header: "WORK", cell: ({ state }) => state.workingOn, flexible: true, minWidth: 12 },
];

function describeProgress(state: Checkpoint["state"]): string {
  const { completed, total } = progressOf(state);
  return total === 0 ? "-" : `${completed}/${total}`;
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
  return {
    id,
    at: at.toISOString(),
    saved_at: state.savedAt.toISOString(),
    mode: state.mode,
    git_branch: state.branch,
    git_commit: state.commit,
    working_on: state.workingOn,
    task_progress: progressOf(state),
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

/** How a state is loaded. */
interface LoadOptions {
  readonly resume: boolean;
  /** Whether the newest checkpoint of the log takes the place of a state that cannot be read, or which one of any. */
  readonly restore: boolean | string;
  readonly ask: boolean;
  readonly json: boolean;
}

/** Loads the work, and says or asks what comes next. */
async function sayLoad(context: CommandContext, desk: WorkDesk, options: LoadOptions): Promise<void> {
  const { json } = options;
  if (options.restore !== false) await restore(context, desk, options.restore);
  if (options.resume) return sayResume(context, desk, options);
  const loaded = await loadWork(desk);
  const asks = options.ask && !json && mayAsk(context);
  if (loaded.type !== "loaded") return sayMissing(context, desk, loaded, { asks, json });
  if (json) return context.out(`${renderJson(toLoadJson(loaded))}\n`);
  context.out(renderLoad(context, loaded));
  if (asks) return askLoad(context, desk, loaded);
  context.out(`\n${wrapLine(describeAdvice(loaded), context.columns)}\n`);
}

async function sayResume(context: CommandContext, desk: WorkDesk, { json }: LoadOptions): Promise<void> {
  const signal = context.catchSignals();
  const resumed = await resumeWork(desk, { isUnderAgent: isUnderAgent(context), signal });
  signal.throwIfAborted();
  if ("type" in resumed) return sayMissing(context, desk, resumed, { asks: false, json });
  const { loaded } = resumed;
  if (json) return context.out(`${renderJson(toLoadJson(loaded, resumed))}\n`);
  const { done, quoted, advice } = describeResumed(resumed);
  for (const line of quoted) context.err(`${line}\n`);
  for (const line of done) context.out(`${wrapLine(line, context.columns)}\n`);
  context.out(renderLoad(context, loaded));
  context.out(`\n${wrapLine(advice, context.columns)}\n`);
}

interface MissingOptions {
  readonly asks: boolean;
  readonly json: boolean;
}

/** Says that there is nothing to load, or nothing that can be read, and what there was before. */
async function sayMissing(
  context: CommandContext,
  desk: WorkDesk,
  loaded: Exclude<Loaded, LoadedWork>,
  { asks, json }: MissingOptions,
): Promise<void> {
  const { checkpoint } = loaded;
  const first = loaded.type === "broken" ? loaded.hint : undefined;
  if (asks && checkpoint !== undefined && first === undefined) {
    context.err(`${describeMissing(desk, loaded)}\n`);
    const where = loaded.machine === undefined ? "" : ` on ${toPrintableLine(loaded.machine)}`;
    const time = `${describeTime(checkpoint.savedAt)}${where}`;
    const question = say(context, "load.checkpoint", { time, work: toPrintableLine(checkpoint.workingOn) });
    if (await context.confirm(question)) {
      await restore(context, desk, true);
      return sayLoad(context, desk, { resume: false, restore: false, ask: true, json });
    }
  }
  if (json) context.out(`${renderJson(toLoadJson(loaded))}\n`);
  throw toMissingError(desk, loaded);
}

async function restore(context: CommandContext, desk: WorkDesk, which: true | string): Promise<void> {
  const { aside } = await (which === true ? restoreCheckpoint(desk) : takeCheckpoint(desk, which));
  if (aside !== undefined) context.err(`The file that was there is now ${toPrintableLine(aside.path)}\n`);
}
