import { catchUp } from "../../lifecycle/catch-up.ts";
import { readStatus } from "../../lifecycle/read-status.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption } from "../parse-options.ts";
import { renderJson } from "../render-json.ts";
import { renderStatus, toStatusJson } from "../render-status.ts";
import { nameDeletions } from "../share/name-deletions.ts";

export const command = defineCommand({
  examples: [
    { line: "carryon", does: "Where am I: project, branch, the last sessions" },
    { line: "carryon status --json", does: "The same for a script" },
  ],
  define: (command) => command.addOption(jsonOption()),
  run: async (context, _args, { json }) => {
    await catchUp(context);
    const status = await readStatus(context);
    if (json) return context.out(`${renderJson(toStatusJson(status))}\n`);
    await nameDeletions(context, status.deletions, (lines) =>
      context.out(renderStatus(status, context, lines)),
    );
  },
});
