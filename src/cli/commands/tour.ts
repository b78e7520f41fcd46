import { defineCommand } from "../define-command.ts";
import { runTour } from "../tour/run-tour.ts";
import { openScratch } from "../tour/scratch.ts";

export const command = defineCommand({
  details:
    "Works in a scratch folder with a store of its own: nothing of yours is read or changed, and the folder is\n" +
    "removed at the end.",
  examples: [
    { line: "carryon tour", does: "Record, kill, pick up, fork and verify a session" },
    { line: "carryon tour --keep", does: "Keep the scratch folder to look around in" },
  ],
  define: (command) => command.option("--keep", "Keep the scratch folder"),
  run: async (context, _args, options) => {
    const scratch = await openScratch(context);
    try {
      await runTour(context, scratch);
      if (options.keep === true) context.out(`\nThe scratch folder is kept: ${scratch.folder}\n`);
    } finally {
      if (options.keep !== true) await scratch.remove();
    }
  },
});
