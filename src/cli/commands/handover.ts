import { Argument, Option } from "@commander-js/extra-typings";
import { AppError } from "../../lib/app-error.ts";
import { defineCommand } from "../define-command.ts";
import { draftCommands, sayDraft } from "../handover/say-draft.ts";
import { sayHistory } from "../handover/say-history.ts";
import { jsonOption } from "../parse-options.ts";

export const command = defineCommand({
  details:
    "A draft carries forward what session.md says and brings it up to git, the decisions and the specs. Every version is in " +
    "the log before another takes its place.",
  examples: [
    {
      line: 'carryon handover draft --done "/sdd-design login" --next "Ask for a review"',
      does: "Bring session.md up to date; the next action stays until it is done",
    },
    { line: "carryon handover draft --command impl", does: "After a command has completed" },
    { line: "carryon handover --history", does: "All versions that session.md has had" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[what]", "What to write").choices(["draft"] as const))
      .addOption(new Option("--command <name>", "The command that has completed").choices(draftCommands))
      .option("--done <text>", "Something that was done; may be repeated", collect)
      .option("--next <text>", "The next action")
      .option("--goal <text>", "What the session is for")
      .option("--goals <text>", "The active goals, in Markdown")
      .option("--file <path>", "A file that was changed, beside those git knows; may be repeated", collect)
      .option("--history", "Show the versions of session.md, newest first")
      .option("--no-pager", "Do not page")
      .addOption(jsonOption()),
  run: async (context, [what], { history, pager, ...options }) => {
    if (history && what === undefined) return sayHistory(context, { json: options.json, pager });
    if (what === "draft" && !history) return sayDraft(context, options);
    throw new AppError("Say either draft or `--history`.", {
      kind: "usage",
      code: "bad-handover",
      hint: "See `carryon handover --help`.",
    });
  },
});

function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}
