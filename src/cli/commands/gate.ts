import { Argument, Option } from "@commander-js/extra-typings";
import { presets } from "../../gates/render-preset.ts";
import { defineCommand } from "../define-command.ts";
import { gateActions } from "../gate/gate-request.ts";
import { sayGate } from "../gate/say-gate.ts";
import { jsonOption } from "../parse-options.ts";

export const command = defineCommand({
  details:
    "A gate is a requirement of requirements.yaml that must be satisfied before a tool may run or a session may stop. " +
    "What is said of gates is said for a session: that of --session or CARRYON_SESSION, else the one that lives here. Run by " +
    "an agent, what only a person may allow is refused. docs/gates.md tells everything.",
  examples: [
    { line: "carryon gate", does: "How the gates stand, and what is wrong with them" },
    { line: "carryon gate satisfy commit_plan", does: "Say that one is satisfied in this session" },
    { line: "carryon gate approve branch_size --ttl 1h", does: "Allow it for an hour" },
    { line: "carryon gate explain -- sed -i s/a/b/ x", does: "What a command is taken for" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[what]", "What to do").choices(gateActions))
      .argument("[names...]", "The gates; with explain: the command, after --")
      .option(
        "--branch [name]",
        "Another branch; with satisfy, approve and clear: what counts for all of its sessions",
      )
      .option("--session <id>", "The session, by its id, the beginning of one that lives, or latest")
      .option("--all-sessions", "With clear: what every session of the branch has satisfied")
      .option("--ttl <duration>", "How long it counts: seconds, or 30s, 5m, 1h, 7d")
      .option("--metadata <json>", "With satisfy and approve: what else is to be kept of it")
      .addOption(
        new Option("--preset <name>", "With init: how much it asks for (default: relaxed)").choices(presets),
      )
      .option("--yes", "With --session: even if nothing is known of it, and it is like one that is known")
      .option("--verbose", "Also say what is turned off, where it comes from, and what is not used")
      .addOption(jsonOption()),
  run: (context, [what = "status", names], options) => sayGate(context, { what, names, ...options }),
});
