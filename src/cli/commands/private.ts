import { usageError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { setPrivate } from "../../recording/set-private.ts";
import { sessionOf } from "../../workspace/caller.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { defineCommand } from "../define-command.ts";

export const command = defineCommand({
  details:
    "From now on nothing of the session is recorded, neither by hooks nor from its transcript; what was recorded before stays, and gates still hold. " +
    "`record` in config.yaml turns recording off for whole folders: docs/formats/config.md.",
  examples: [
    { line: "! carryon private", does: "In Claude Code: keep this session to yourself from here on" },
    { line: "carryon private --off", does: "Record it again; what was said in between stays out" },
    { line: "carryon private --session ID", does: "The same for another session, from any terminal" },
  ],
  define: (command) =>
    command
      .option("--off", "Record the session again from now on")
      .option("--session <id>", "The session of the client; the one that runs this unless given"),
  run: async (context, _args, { off, session: given }) => {
    const session = given ?? sessionOf(context);
    if (session === undefined) {
      throw usageError("no-client-session", "No session of a client runs this command.", {
        hint: "Run `! carryon private` in Claude Code, or name a session with `--session`.",
      });
    }
    const home = locateHome(context.env, context.userHome);
    const recording = off ? "on" : "off";
    const outcome = await setPrivate(home, { session, recording, at: context.clock.now() });
    const state = off ? "recorded" : "not recorded";
    const when = outcome === "changed" ? "from now on" : "already";
    context.err(`Session ${toPrintableLine(session)} is ${state} ${when}.\n`);
  },
});
