import { catchUp } from "../../lifecycle/catch-up.ts";
import { readStatus, type Status } from "../../lifecycle/read-status.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { renderStatus, toStatusJson } from "../render-status.ts";
import { nameDeletions } from "../share/name-deletions.ts";

/** Prints the status and returns it. */
export async function sayStatus(context: CommandContext): Promise<Status> {
  await catchUp(context);
  const status = await readStatus(context);
  const say = (lines: readonly string[]) => context.out(renderStatus(status, context, lines));
  await nameDeletions(context, status.deletions, say);
  return status;
}

export const command = defineCommand({
  examples: [
    { line: "carryon", does: "Where am I? On a terminal it also asks which open work to go on with" },
    { line: "carryon status --json", does: "The same for a script" },
  ],
  define: (command) => command.addOption(jsonOption()),
  run: async (context, _args, { json }) => {
    if (!json) return void (await sayStatus(context));
    await catchUp(context);
    context.out(`${renderJson(toStatusJson(await readStatus(context)))}\n`);
  },
});
