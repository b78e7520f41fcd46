import { Argument } from "@commander-js/extra-typings";
import { checkNames } from "../../work/approvals.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { sayApprovals, usage } from "../work/say-approvals.ts";

export const command = defineCommand({
  details:
    "`carryon save --full` runs the commands that you have approved here for this project, without a shell, and what fails " +
    "becomes the blocker. They are kept in your home folder and never come from the repository. One command for each of: " +
    `${checkNames.join(", ")}.`,
  examples: [
    { line: "carryon check allow test -- npm test", does: "Run the tests at the end of a task" },
    { line: "carryon check allow build -- sh -c 'make && make lint'", does: "Several commands in one" },
    { line: "carryon check", does: "List what is approved in this project" },
    { line: "carryon check revoke test", does: "Take it back" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[what]", "What to do").choices(["list", "allow", "revoke"] as const))
      .addArgument(new Argument("[name]", "Which check").choices(checkNames))
      .argument("[command...]", "With allow: the program and its arguments, after --")
      .option("--yes", "Approve without a terminal")
      .addOption(jsonOption()),
  run: async (context, [what = "list", name, words], { yes = false, json = false }) => {
    if (what !== "allow" && words.length > 0) throw usage("check", `To ${what} takes no command.`);
    const purpose = name === undefined ? undefined : ({ kind: "check", name } as const);
    await sayApprovals(context, { what, kind: "check", purpose, command: words, yes, json });
  },
});
