import { Option } from "@commander-js/extra-typings";
import { AppError } from "../../lib/app-error.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { defineCommand } from "../define-command.ts";
import { collect, jsonOption } from "../parse-options.ts";
import { sayPreview } from "../work/say-preview.ts";
import { saySave } from "../work/say-save.ts";
import { workHere } from "../work/work-here.ts";

export const command = defineCommand({
  details:
    "Commits the work tree as a checkpoint, with your hooks, and writes .claude/session-state.json: branch, commit, tasks, next " +
    "steps and what stops the work, which is found in what was recorded. Ignored files, likely secrets, new .env files and " +
    "files over 5 MB are left out and named; what you have staged of them stays staged. In the middle of a merge or rebase " +
    "nothing is committed. The default branch is pushed to only with --yes or after a question.",
  examples: [
    { line: "carryon save", does: "A checkpoint: commit and state" },
    { line: 'carryon save -m "Login form" --next "Its tests"', does: "Say what you are at" },
    { line: "carryon save --sync", does: "At the end of the day: push as well" },
    { line: "carryon save --full", does: "At the end of a task: run the approved checks as well" },
  ],
  define: (command) =>
    command
      .addOption(new Option("--sync", "Push as well").conflicts(["full"]))
      .addOption(new Option("--full", "Push, and run the checks that you have approved"))
      .option("-m, --message <text>", "What is being worked on (default: the next task)")
      .option("--next <text>", "What comes next; may be repeated", collect)
      .option("--openspec <id>", "The change of OpenSpec that is worked on")
      .option("--done <text>", "A task that is done; may be repeated", collect)
      .option("--todo <text>", "A task that is left; may be repeated", collect)
      .option("--new <task>", "Then begin with another task; what was saved stays in the log")
      .option("--no-commit", "Write the state only")
      .addOption(
        new Option("--dry-run", "Say what would be committed, left out and pushed; write nothing").conflicts([
          "new",
        ]),
      )
      .option("--yes", "Push to the default branch without asking")
      .addOption(jsonOption()),
  run: async (context, _args, options) => {
    refuseEmpty(options);
    const { sync, full, message, openspec, new: begin, yes = false, json = false, dryRun, ...rest } = options;
    const mode = full ? "full" : sync ? "sync" : "quick";
    // Before anything that writes, be it to the store.
    if (dryRun) return sayPreview(context, { mode, commit: rest.commit, yes, json });
    await catchUp(context);
    const request = { ...rest, mode, workingOn: message, change: openspec, begin, yes, json } as const;
    await workHere(context, (desk) => saySave(context, desk, request));
  },
});

type Words = string | readonly string[] | undefined;

/** Refuses options without words before anything is saved: they would say that there is nothing to do. */
function refuseEmpty(
  options: Readonly<Partial<Record<"message" | "next" | "new" | "done" | "todo", Words>>>,
): void {
  for (const name of ["message", "next", "new", "done", "todo"] as const) {
    const words = options[name] ?? [];
    const texts = typeof words === "string" ? [words] : words;
    if (texts.every((text) => text.trim() !== "")) continue;
    throw new AppError(`--${name} needs words.`, {
      kind: "usage",
      code: "empty-words",
      hint: "Say it in a few words, or leave the option out.",
    });
  }
}
