import { Option } from "@commander-js/extra-typings";
import { type AppError, usageError } from "../../lib/app-error.ts";
import { parseDuration } from "../../lib/duration.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand, jsonOption, parseCount, sessionHelp } from "../define-command.ts";
import { cleanSessions } from "../delete-sessions.ts";
import { maxCostOption, maxTimeOption, maxTokensOption, toLimits } from "../run/limit-options.ts";
import { listRuns } from "../run/list-runs.ts";
import { replayTask } from "../run/replay-task.ts";
import { runTask } from "../run/run-task.ts";

/** What belongs to a run alone. */
const driving = [
  "resume",
  "sessionFile",
  "sessionDir",
  "rounds",
  "instructor",
  "worker",
  "dir",
  "name",
  "thinking",
  "restoreFiles",
  "worktree",
  "autoSave",
  "saveToCloud",
  "maxTokens",
  "maxTime",
  "maxCost",
];

export const command = defineCommand({
  details:
    "An instructor plans and gives a worker one instruction at a time; the worker reads, writes and runs in the folder; the " +
    "instructor reads its report and goes on, corrects, or is done. Everything is saved as it happens: stopped by Ctrl-C, a crash or a " +
    "limit, it goes on with --resume, and no finished round is repeated. The files after each round are kept in git, without touching " +
    "index or branch. Before the worker writes or runs something you are asked, unless --yes. A limit that is used up is granted again " +
    "by a resume. What is said goes to standard error, the summary at the end to standard output.",
  examples: [
    {
      line: 'carryon run "Add a --json option to the list command" --yes',
      does: "Work on a task until it is done",
    },
    {
      line: 'carryon run "Port the tests" -r 10 --max-time 2h --yes',
      does: "At most 10 rounds and two hours",
    },
    {
      line: 'carryon run --resume "Continue with part 2" -r 5 --yes',
      does: "Go on where the last run stopped, here with further instructions",
    },
    {
      line: "carryon run --resume --session-file /shared/session.json -d . --yes",
      does: "Go on with a run of another machine",
    },
  ],
  define: (command) =>
    command
      .argument("[text]", "The task; with --resume, further instructions")
      .option("-r, --rounds <n>", "At most so many rounds; without a limit unless given", parseCount)
      .option("-i, --instructor <model>", "The instructor's model, such as anthropic/claude-sonnet-5-5")
      .option("-w, --worker <model>", "The worker's model")
      .option("-d, --dir <folder>", "The folder to work in; the current one unless given")
      .addOption(new Option("--name <slug>", "What the session is called").conflicts(["resume", "session"]))
      .option("--no-thinking", "Do not let the instructor think before it decides")
      .addOption(maxTokensOption())
      .addOption(maxTimeOption())
      .addOption(maxCostOption())
      .option("--resume", "Go on with the last run of this project")
      .addOption(new Option("--continue", "Same as --resume").implies({ resume: true }))
      .addOption(
        new Option("--session <id>", `Go on with this run: ${sessionHelp.toLowerCase()}`).implies({
          resume: true,
        }),
      )
      .addOption(
        new Option("--fork-at-round <n>", "Go on in a new session that shares the rounds up to this one")
          .argParser(parseCount)
          .implies({ resume: true }),
      )
      .option("--restore-files", "With --fork-at-round: bring the files of then back, into a clean work tree")
      .option("--worktree <folder>", "With --fork-at-round: bring them into a new work tree, and work there")
      .option(
        "--session-file <path>",
        "Keep the state of the session in this file, every 5 rounds and at the end; with --resume, go on with the one in it",
      )
      .addOption(
        new Option(
          "--session-dir <folder>",
          "Keep a file for each session in this folder, such as .claude-master/sessions; with --resume, go on with the current one",
        ).conflicts("sessionFile"),
      )
      .option("--no-auto-save", "Write no session file; messages are saved all the same")
      .addOption(
        new Option(
          "--save-to-cloud",
          "Push the session to the store `cloud` of config.yaml, every 5 rounds and at the end",
        ).conflicts("autoSave"),
      )
      .addOption(
        new Option(
          "--from-cloud",
          "Pull the run from there first: the last of this project, or the one of --session",
        ).implies({ resume: true }),
      )
      .addOption(
        new Option("--list-sessions", "List the runs of this project").conflicts([
          ...driving,
          ...["cleanSessions", "replay", "diff", "merge"],
        ]),
      )
      .addOption(
        new Option("--clean-sessions", "Delete old runs of this project").conflicts([
          ...driving,
          ...["replay", "diff", "merge", "json"],
        ]),
      )
      .option(
        "--older-than <age>",
        "With --clean-sessions: without a change in this time (default: 30d)",
        parseDuration,
      )
      .option("--dry-run", "With --clean-sessions: only list them")
      .addOption(new Option("--replay <id>", "Same as `carryon replay ID`").conflicts("resume"))
      .option("--with-model <model>", "With --replay: the model of both the instructor and the worker")
      .addOption(
        new Option("--diff <ids...>", "Same as `carryon diff A B`").conflicts([
          ...driving,
          "replay",
          "merge",
        ]),
      )
      .addOption(
        new Option("--merge <ids...>", "Same as `carryon merge A B`").conflicts([...driving, "replay"]),
      )
      .option("--yes", "Let the worker write and run what it wants, without asking")
      .addOption(jsonOption()),
  run: async (context, [text], given) => {
    if (await doInstead(context, text, given)) return;
    const {
      resume,
      thinking,
      rounds,
      maxTokens,
      maxTime,
      maxCost,
      yes,
      json,
      replay,
      withModel,
      ...options
    } = given;
    const request = {
      ...options,
      // Without the flag, a resumed run goes on as it was.
      useThinking: thinking ? undefined : false,
      limits: toLimits({ rounds, maxTokens, maxTime, maxCost }),
      ...{ yes: yes === true, json: json === true },
    };
    if (replay === undefined) await runTask(context, { ...request, text, isResume: resume === true });
    else await replayTask(context, { ...request, withModel, origin: replay, fromRound: undefined });
  },
});

/** What can be asked of `carryon run` in the place of a run: other commands do it too. */
interface InsteadOfRun {
  readonly listSessions?: true | undefined;
  readonly cleanSessions?: true | undefined;
  readonly olderThan?: number | undefined;
  readonly dryRun?: true | undefined;
  readonly diff?: readonly string[] | undefined;
  readonly merge?: readonly string[] | undefined;
  readonly replay?: string | undefined;
  readonly withModel?: string | undefined;
  readonly yes?: true | undefined;
  readonly json?: true | undefined;
}

/** The options that have an effect only when a run goes on from a round. */
interface RoundOptions {
  readonly resume?: true | undefined;
  readonly restoreFiles?: true | undefined;
  readonly worktree?: string | undefined;
}

const client = "carryon-run";

/** Does what is asked for in the place of a run, and tells whether something was. */
async function doInstead(
  context: CommandContext,
  text: string | undefined,
  options: InsteadOfRun & RoundOptions,
): Promise<boolean> {
  const { olderThan, dryRun, diff, merge, yes, json } = options;
  requireWhole(text, options);
  requireEffect(options);
  const asked = [options.listSessions, options.cleanSessions, diff, merge].find((each) => each !== undefined);
  if (asked === undefined) return false;
  if (text !== undefined) throw badRequest("A task cannot be run together with this.");
  if (options.listSessions === true) await listRuns(context, { json: json === true });
  else if (options.cleanSessions === true) await cleanSessions(context, { client, olderThan, dryRun, yes });
  else await compareOrMerge(context, options);
  return true;
}

/** An option without the one that it belongs to must not let something run that was not meant. */
function requireWhole(text: string | undefined, options: InsteadOfRun): void {
  const { olderThan, dryRun, replay, withModel } = options;
  if (options.cleanSessions === undefined && (olderThan !== undefined || dryRun !== undefined))
    throw badRequest("--older-than and --dry-run belong to --clean-sessions.");
  if (replay === undefined && withModel !== undefined) throw badRequest("--with-model belongs to --replay.");
  if (replay !== undefined && text !== undefined) throw badRequest("A replay has the task of its run.");
}

/** An option that is ignored lets a run work on other files than were meant. */
function requireEffect(options: InsteadOfRun & RoundOptions): void {
  const { resume, restoreFiles, worktree, replay } = options;
  const ofRound = worktree !== undefined ? "--worktree" : restoreFiles ? "--restore-files" : undefined;
  if (ofRound !== undefined && replay !== undefined)
    throw badRequest(
      `${ofRound} needs a round, which --replay does not take.`,
      "Run `carryon replay ID --from-round N --worktree DIR`.",
    );
  // Without a round to go back to, a resume says so itself.
  if (ofRound !== undefined && resume === undefined)
    throw badRequest(
      `${ofRound} needs --fork-at-round: a new run works on the files as they are.`,
      "For a new run make the work tree first: `git worktree add DIR`, then `carryon run TASK -d DIR`. " +
        "For the files of a round: `carryon run --resume --fork-at-round N --worktree DIR`.",
    );
}

async function compareOrMerge(
  context: CommandContext,
  { diff, merge = [], ...given }: InsteadOfRun,
): Promise<void> {
  const json = given.json === true;
  if ((diff ?? merge).length > 2) throw badRequest("Two sessions can be compared or merged, not more.");
  const [left = "", right] = diff ?? [];
  if (diff !== undefined)
    return (await import("../diff/show-diff.ts")).showDiff(context, { left, right, json });
  const [id = "", other] = merge;
  return (await import("../say-merge.ts")).sayMerge(context, { id, other, json });
}

function badRequest(message: string, hint = "See `carryon run --help`."): AppError {
  return usageError("bad-run-request", message, { hint });
}
