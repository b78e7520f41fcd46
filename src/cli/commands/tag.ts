import { makeEntryId } from "../../conversation/ids.ts";
import { parseTag, tagged } from "../../conversation/session-events.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { nextMoment } from "../next-moment.ts";
import { findHere, readHere, writeHere } from "../open-here.ts";
import { jsonOption, sessionHelp } from "../parse-options.ts";
import { renderJson } from "../render-json.ts";

export const command = defineCommand({
  details:
    "Without a tag it lists those that the session has. A session tagged `pinned` is never cleaned away.",
  examples: [
    { line: "carryon tag latest pinned", does: "Keep the newest session from being cleaned away" },
    { line: "carryon tag latest bug auth", does: "Add two tags" },
    { line: "carryon tag latest --remove bug", does: "Take one away" },
    { line: "carryon tag latest", does: "List them" },
  ],
  define: (command) =>
    command
      .argument("<id>", sessionHelp)
      .argument("[tag...]", "Words of letters, digits and _ . : / -")
      .option("--remove", "Remove these tags instead of adding them")
      .addOption(jsonOption()),
  run: async (context, [id, words], { remove, json }) => {
    const given = words.map(parseTag);
    const tags =
      given.length === 0
        ? await readHere(context, async (here) => (await findHere(here, id)).tags)
        : await changeTags(context, id, (before) => (remove ? without(before, given) : union(before, given)));
    if (json) return context.out(`${renderJson({ tags })}\n`);
    context.out(tags.map((tag) => `${toPrintableLine(tag)}\n`).join(""));
  },
});

/** Records the tags that a session has from now on, unless they are the same. */
function changeTags(
  context: CommandContext,
  id: string,
  change: (before: readonly string[]) => readonly string[],
): Promise<readonly string[]> {
  return writeHere(context, async (here) => {
    const session = await findHere(here, id);
    const tags = change(session.tags);
    const now = context.clock.now();
    const event = tagged(makeEntryId(now, context.random), nextMoment(now, session.updatedAt), tags);
    if (tags.join(" ") !== session.tags.join(" ")) await here.store.log.append(session.id, [event]);
    return tags;
  });
}

function union(before: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...before, ...added])];
}

function without(before: readonly string[], removed: readonly string[]): readonly string[] {
  return before.filter((tag) => !removed.includes(tag));
}
