import { catchUp } from "../../lifecycle/catch-up.ts";
import { makePlanner } from "../../lifecycle/plan-resume.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import { EntryNotFound } from "../../sessions/errors.ts";
import { type EntryId, parseEntryId, type SessionId } from "../../sessions/ids.ts";
import { newSessionId, parseTitle } from "../../sessions/session-events.ts";
import { findHere, readHere, writeHere } from "../../workspace/open-here.ts";
import { defineCommand, sessionHelp } from "../define-command.ts";
import { startResumed } from "../resume-session.ts";

export const command = defineCommand({
  details:
    "Nothing is copied, whatever the size. Prints the id of the new session; with --resume, goes on in it as `carryon resume` does.",
  examples: [
    { line: "carryon fork latest", does: "Go on from the end of the newest session" },
    {
      line: "carryon fork latest --at 12",
      does: "Go on after its entry 12, as if the rest had not happened",
    },
    { line: "carryon fork latest --at 12 --resume", does: "Do so in Claude Code at once" },
    { line: 'carryon append --session "$(carryon fork latest)" more.jsonl', does: "Fork and go on at once" },
  ],
  define: (command) =>
    command
      .argument("<id>", sessionHelp)
      .option(
        "--at <entry>",
        "The last entry to share: its number in the session or its id; the newest by default",
      )
      .option("--resume", "Go on in the fork at once, as `carryon resume` does")
      .option("--title <title>", "Its title; that of the session it comes from by default"),
  run: async (context, [id], options) => {
    await catchUp(context);
    const fork = await writeHere(context, async (here) => {
      const { log } = here.store;
      const title = options.title === undefined ? undefined : parseTitle(options.title);
      const origin = await findHere(context, here, id);
      const startedAt = context.clock.now();
      return log.fork({
        id: newSessionId(context, startedAt, title),
        from: origin.id,
        ...(options.at === undefined ? {} : { at: await locateEntry(log, origin.id, options.at) }),
        ...(title === undefined ? {} : { title }),
        cwd: context.cwd,
        branch: here.branch,
        machine: context.machine,
        startedAt,
      });
    });
    if (!options.resume) return context.out(`${fork.id}\n`);
    context.err(`The fork is session ${fork.id}.\n`);
    const plan = await readHere(context, (here) => makePlanner(context, here).plan(fork));
    return startResumed(context, plan, {});
  },
});

/** Digits are a number in the session, although an id could look the same: nobody types such an id. */
async function locateEntry(log: ConversationLog, session: SessionId, text: string): Promise<EntryId> {
  if (!/^\d{1,15}$/.test(text)) return parseEntryId(text);
  const seq = Number(text);
  for await (const entry of log.read(session, { from: Math.max(seq, 1), to: seq })) return entry.id;
  throw new EntryNotFound(session, text);
}
