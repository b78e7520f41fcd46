import { locateClient } from "../../clients/claude-code/locate-client.ts";
import { usageError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { setPrivate } from "../../recording/set-private.ts";
import { SessionNotFound } from "../../sessions/errors.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { findHere, isNoStore, readHere } from "../../workspace/open-here.ts";
import { sessionOf } from "../../workspace/workspace.ts";
import type { CommandContext } from "../command-context.ts";
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
      .option("--session <id>", "A session, as other commands take one; the one that runs this unless given"),
  run: async (context, _args, { off, session: given }) => {
    const session = given === undefined ? sessionOf(context) : await findClientSession(context, given);
    if (session === undefined) {
      throw usageError("no-client-session", "No session of a client runs this command.", {
        hint: "Run `! carryon private` in Claude Code, or name a session with `--session`.",
      });
    }
    const home = locateHome(context.env, context.userHome);
    const client = locateClient(context.userHome, context.env.CLAUDE_CONFIG_DIR);
    const recording = off ? "on" : "off";
    const outcome = await setPrivate(home, { session, recording, at: context.clock.now(), client });
    const state = off ? "recorded" : "not recorded";
    const now = outcome === "changed" ? `${state} from now on` : `already ${state}`;
    context.err(`Session ${toPrintableLine(session)} is ${now}.\n`);
  },
});

/** The client's own id, under which hooks and transcripts speak of the session; one that is not recorded yet is taken as it is. */
async function findClientSession(context: CommandContext, given: string): Promise<string> {
  try {
    const { id, clientSessionId } = await readHere(context, (here) => findHere(context, here, given));
    return clientSessionId ?? id;
  } catch (error) {
    if (isWholeId.test(given) && (error instanceof SessionNotFound || isNoStore(error))) return given;
    throw error;
  }
}

/** How clients name their sessions. */
const isWholeId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
