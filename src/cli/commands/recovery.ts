import { Argument } from "@commander-js/extra-typings";
import { blockerTypes } from "../../work/blocker.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { parseBlockerType } from "../work/parse-blocker-type.ts";
import { sayApprovals, usage } from "../work/say-approvals.ts";

export const command = defineCommand({
  details:
    "`carryon load --resume` runs the command that you have approved here for the type of a blocker that was found by itself, " +
    "at most three times, and clears the blocker when the check passes. Approved commands are kept in your home folder and " +
    `never come from the repository. Types: ${blockerTypes.join(", ")}.`,
  examples: [
    { line: "carryon recovery allow dependency -- npm ci", does: "How missing packages are had" },
    { line: "carryon recovery", does: "List what is approved in this project" },
    { line: "carryon recovery revoke dependency", does: "Take it back" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[what]", "What to do").choices(["list", "allow", "revoke"] as const))
      .addArgument(new Argument("[type]", "The type of blocker").argParser(parseBlockerType))
      .argument("[command...]", "With allow: the program and its arguments, after --")
      .option("--yes", "Approve without a terminal")
      .addOption(jsonOption()),
  run: async (context, [what = "list", type, words], { yes = false, json = false }) => {
    if (what !== "allow" && words.length > 0) throw usage("recovery", `To ${what} takes no command.`);
    const purpose = type === undefined ? undefined : ({ kind: "recovery", name: type } as const);
    await sayApprovals(context, { what, kind: "recovery", purpose, command: words, yes, json });
  },
});
