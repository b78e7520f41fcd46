import { type AppError, usageError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { makeEntryId } from "../../sessions/ids.ts";
import { nextMoment, parseTag, tagged } from "../../sessions/session-events.ts";
import { findHere, readHere, writeHere } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption, sessionHelp } from "../define-command.ts";

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
        ? await readHere(context, async (here) => (await findHere(context, here, id)).tags)
        : await changeTags(context, id, remove ? { remove: given } : { add: given });
    if (json) return context.out(`${renderJson({ tags })}\n`);
    context.out(tags.map((tag) => `${toPrintableLine(tag)}\n`).join(""));
  },
});

/** Records which tags are added or removed, unless nothing would change, and returns those that the session has then. */
function changeTags(
  context: CommandContext,
  id: string,
  change: Parameters<typeof tagged>[2],
): Promise<readonly string[]> {
  return writeHere(context, async (here) => {
    const session = await findHere(context, here, id);
    const missing = change.add?.some((tag) => !session.tags.includes(tag));
    const present = change.remove?.some((tag) => session.tags.includes(tag));
    if (!missing && !present) return session.tags;
    const now = context.clock.now();
    const event = tagged(makeEntryId(now, context.random), nextMoment(now, session.updatedAt), change);
    await here.store.log.append(session.id, [event]);
    const tags = (await here.store.log.list({ id: session.id })).sessions[0]?.tags ?? [];
    if (change.add?.some((tag) => !tags.includes(tag))) throw tagIsSecret();
    return tags;
  });
}

/** A secret is replaced before it is stored, and its marker is no tag. */
function tagIsSecret(): AppError {
  return usageError("invalid-tag", "A tag that looks like a secret was not stored.", {
    hint: "Tags are shown in every list; choose another word.",
  });
}
