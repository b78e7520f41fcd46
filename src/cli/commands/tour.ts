import { defineCommand } from "../define-command.ts";
import { runTour } from "../tour/run-tour.ts";
import { openScratch } from "../tour/scratch.ts";
import { answers } from "../tour/screens.ts";
import { openScriptedModel } from "../tour/scripted-model.ts";

export const command = defineCommand({
  details:
    "Works in a scratch folder with a store of its own: nothing of yours is read or changed, and the folder is\n" +
    "removed at the end.",
  examples: [
    { line: "carryon tour", does: "See six things that Carryon does" },
    { line: "carryon tour --keep", does: "Keep the scratch folder to look around in" },
  ],
  define: (command) => command.option("--keep", "Keep the scratch folder"),
  run: async (context, _args, { keep }) => {
    const model = await openScriptedModel(answers);
    try {
      const scratch = await openScratch(context, model.url);
      try {
        await runTour(context, scratch);
        if (keep) context.out(`\nThe scratch folder is kept: ${scratch.folder}\n`);
      } finally {
        if (!keep) await scratch.remove();
      }
    } finally {
      await model[Symbol.asyncDispose]();
    }
  },
});
