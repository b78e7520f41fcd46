import { Option } from "@commander-js/extra-typings";
import { parseDuration } from "../../lib/duration.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption, parseCount, sessionHelp } from "../parse-options.ts";
import { doInstead } from "../run/instead-of-run.ts";
import { maxCostOption, maxTimeOption, maxTokensOption, toLimits } from "../run/limit-options.ts";
import { replayTask } from "../run/replay-task.ts";
import { runTask } from "../run/run-task.ts";

/** What belongs to a run alone. */
const driving = [
  "resume",
  "sessionFile",
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
