import { Option } from "@commander-js/extra-typings";
import { defineCommand, jsonOption, parseCount, sessionHelp } from "../define-command.ts";
import { maxCostOption, maxTimeOption, maxTokensOption, toLimits } from "../run/limit-options.ts";
import { replayTask, replayWithout } from "../run/replay-task.ts";

/** What only a replay that does something can take. */
const driving = [
  "restoreFiles",
  "worktree",
  "withModel",
  "instructor",
  "worker",
  "dir",
  "name",
  "rounds",
  "maxTokens",
  "maxTime",
  "maxCost",
  "yes",
];

export const command = defineCommand({
  details:
    "Drives the task of a run again into a session of its own, with another model if you name one, so that the two can be compared: " +
    "the first stays as it is. What you had added at resumes is said at once. With --from-round the rounds before are shared. The worker acts " +
    "in the current folder, or the one of -d, on the files as they are there, and asks as a run does: a worktree of its own keeps the " +
    "two apart. With --dry no model is asked and nothing is done: the recorded replies and results are gone through, and the first " +
    "thing is told that Carryon would do otherwise today (exit code 4).",
  examples: [
    {
      line: "carryon replay latest --with-model openai/gpt-5.6 -d ../try --yes",
      does: "The same task with another model, in another folder",
    },
    {
      line: "carryon replay latest --from-round 4 --worktree ../try --yes",
      does: "Do over what came after round 3, with the files as they were then",
    },
    {
      line: "carryon replay latest --dry",
      does: "Check a run against the Carryon of today, without a model",
    },
  ],
  define: (command) =>
    command
      .argument("<id>", sessionHelp)
      .option("--with-model <model>", "The model of both the instructor and the worker")
      .option("-i, --instructor <model>", "The instructor's model")
      .option("-w, --worker <model>", "The worker's model")
      .option("--from-round <n>", "The first round that is done over; all of them unless given", parseCount)
      .option(
        "--restore-files",
        "With it, bring the files back as they were then; only into a clean work tree",
      )
      .option("--worktree <folder>", "Bring them into a new work tree instead, and work there")
      .option("-d, --dir <folder>", "The folder to work in; the current one unless given")
      .option("--name <slug>", "What the session is called")
      .option("-r, --rounds <n>", "At most so many rounds; as many as the first had unless given", parseCount)
      .addOption(maxTokensOption())
      .addOption(maxTimeOption())
      .addOption(maxCostOption())
      .option("--yes", "Let the worker write and run what it wants, without asking")
      .addOption(
        new Option("--dry", "Ask no model and do nothing: check what was recorded").conflicts(driving),
      )
      .addOption(jsonOption()),
  run: async (context, [origin], options) => {
    const { dry, fromRound, withModel, instructor, worker, dir, name, restoreFiles, worktree } = options;
    const json = options.json === true;
    if (dry === true) return replayWithout(context, { origin, fromRound, json });
    return replayTask(context, {
      ...{ origin, fromRound, withModel, instructor, worker, dir, name, restoreFiles, worktree, json },
      yes: options.yes === true,
      limits: toLimits(options),
    });
  },
});
