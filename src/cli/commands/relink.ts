import { resolve } from "node:path";
import { toPrintableLine } from "../../lib/printable.ts";
import { followProjects } from "../../workspace/follow-projects.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { storeOf, writeHere } from "../../workspace/open-here.ts";
import { locatePlace } from "../../workspace/recognise-project.ts";
import { relinkProject } from "../../workspace/relink-project.ts";
import { defineCommand } from "../define-command.ts";

export const command = defineCommand({
  details:
    "A repository is known again by its first commit wherever it is, and a folder that becomes one keeps its sessions. " +
    "A folder outside git that moved, a repository whose history began anew, or one whose sessions were imported after it had moved, is not: " +
    "run this in the folder where the project is now.",
  examples: [
    { line: "carryon relink ~/old/shop", does: "The project that was in ~/old/shop is now here" },
    { line: "carryon relink ../shop-before", does: "The same with a path from here" },
    {
      line: "carryon relink .",
      does: "What was recorded in this folder belongs to the repository that it is now",
    },
  ],
  define: (command) => command.argument("<old-path>", "The folder that the project was in"),
  run: (context, [old]) =>
    writeHere(context, async ({ store }) => {
      const path = resolve(context.cwd, old);
      const { name } = await relinkProject(store, await locatePlace(context.cwd), path);
      const isLocal = (await storeOf(context)).file !== undefined;
      if (isLocal) await followProjects(locateHome(context.env, context.userHome), store.projects);
      context.err(`What was recorded in ${toPrintableLine(path)} belongs to ${toPrintableLine(name)} now.\n`);
    }),
});
