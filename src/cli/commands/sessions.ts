import { Argument, Option } from "@commander-js/extra-typings";
import { parseDuration } from "../../lib/duration.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { describeHolder } from "../../sessions/lease.ts";
import { knownClients } from "../../workspace/known-clients.ts";
import { type TakeOver, takeOverSession } from "../../workspace/take-over.ts";
import { renderJson } from "../command-context.ts";
import { allOption, defineCommand, jsonOption, parseCount, projectOption } from "../define-command.ts";
import { sayList, usualLimit } from "../list-sessions.ts";

export const command = defineCommand({
  details:
    "A session is open while its client runs, interrupted when it was cut off in the middle of something, else ended. " +
    "The beginning of an id is enough wherever a command takes one; in a pipe, ids are whole and nothing is cut.",
  examples: [
    { line: "carryon sessions", does: "The sessions of this project, newest first" },
    { line: "carryon sessions --all --since 7d", does: "A week of all projects" },
    { line: "carryon sessions --grep 'login bug'", does: "Those in which both words stand in one entry" },
    { line: "carryon sessions --json | jq -r '.sessions[].id'", does: "Their ids, for a script" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[list]", "May be left out").choices(["list"]))
      .addOption(clientOption())
      .addOption(projectOption())
      .addOption(allOption())
      .option("--branch <name>", "Only sessions that began on this branch")
      .option("--tag <tag>", "Only sessions with this tag")
      .option("--since <age>", "Only sessions that changed in this time, such as 12h or 7d", parseDuration)
      .addOption(
        new Option("--grep <query>", "Only sessions in which `carryon search` finds something").conflicts(
          "cursor",
        ),
      )
      .option("--limit <n>", "At most this many", parseCount, usualLimit)
      .option("--cursor <cursor>", "Go on where the list before ended: its `next`")
      .addOption(
        new Option("--take-over <id>", "Free a session from the process that writes it").conflicts([
          ...["client", "project", "all", "branch", "tag", "since", "grep", "cursor"],
        ]),
      )
      .addOption(jsonOption()),
  run: async (context, _args, { project, all, since, json, takeOver, grep, ...query }) => {
    if (takeOver !== undefined) {
      const { session, outcome } = await takeOverSession(context, takeOver);
      if (json) return context.out(`${renderJson({ session, writer: outcome.type })}\n`);
      return context.err(`${describeTakeOver(session, outcome)}\n`);
    }
    return sayList(context, { choice: { project, all }, query, since, grep, json: json === true });
  },
});

function clientOption() {
  const option = new Option("--client <name>", "Only sessions of this client");
  // Shown and completed, but other names are taken too: a store may hold sessions of more clients.
  option.argChoices = [...knownClients()];
  return option;
}

const became = {
  gone: "is gone",
  stopped: "has stopped",
  silent: "does not answer; it can add nothing more",
} as const;

function describeTakeOver(id: string, outcome: TakeOver): string {
  if (outcome.type === "free") return `Nobody was writing session ${id}`;
  const writer = toPrintableLine(describeHolder(outcome.holder));
  return `${writer} ${became[outcome.type]}. Session ${id} can be written again.`;
}
