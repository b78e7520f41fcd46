import { Option } from "@commander-js/extra-typings";
import { newSessionId } from "../../sessions/new-session-id.ts";
import type { NewSession } from "../../sessions/session.ts";
import { parseTitle } from "../../sessions/session-events.ts";
import { beginSession, holdSession } from "../../sessions/session-target.ts";
import { findHere, writeHere } from "../../workspace/open-here.ts";
import type { WritableProject } from "../../workspace/open-project.ts";
import { appendLines } from "../append/append-lines.ts";
import { openLines } from "../append/open-lines.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { leaseDuration } from "../lease-duration.ts";
import { renderJson } from "../render-json.ts";

export const command = defineCommand({
  details:
    'A line is {"role":"user","text":"…"} (or assistant, or tool), or a whole entry as in docs/formats/entry.md, of at most 64 MB. ' +
    "Prints the session first, then the number and id of each entry, only after it is on disk. " +
    "A new session is made with its first entry: where no line is accepted, there is none.",
  examples: [
    { line: `echo '{"role":"user","text":"Hello"}' | carryon append`, does: "Record a first message" },
    {
      line: 'carryon append --title "Fix the login" talk.jsonl',
      does: "Record a file as a session with a title",
    },
    { line: "carryon append --session latest more.jsonl", does: "Add to the newest session of this project" },
  ],
  define: (command) =>
    command
      .argument("[file]", "JSON lines to record; standard input for - or without one")
      .addOption(new Option("--session <id>", "Add to this session instead of a new one").conflicts("title"))
      .option("--title <title>", "The title of the new session; by default its first words")
      .option("--keep-going", "Skip bad lines instead of stopping at the first; the exit code is still 2"),
  run: async (context, [file = "-"], { session: id, title, keepGoing }) => {
    const lease = { program: "carryon append", now: context.clock.now(), ...leaseDuration(context) };
    const lines = await openLines(context, file);
    if (file === "-" && context.isTerminal.input) context.err("One JSON object per line; Ctrl-D ends.\n");
    await writeHere(context, async (here) => {
      const { store } = here;
      const target =
        id === undefined
          ? beginSession(store, planSession(context, here, title), lease)
          : await holdSession(store, await findHere(context, here, id), lease);
      context.out(`${renderJson({ session: target.session })}\n`);
      await appendLines(lines, { context, target, keepGoing: keepGoing === true });
    });
  },
});

function planSession(context: CommandContext, here: WritableProject, text?: string): NewSession {
  const title = text === undefined ? undefined : parseTitle(text);
  const startedAt = context.clock.now();
  return {
    id: newSessionId(context, startedAt, title),
    project: here.project.id,
    client: "carryon-append",
    ...(title === undefined ? {} : { title }),
    cwd: context.cwd,
    branch: here.branch,
    machine: context.machine,
    startedAt,
  };
}
