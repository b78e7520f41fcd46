import { toPrintableLine } from "../../lib/printable.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { readTrusts } from "../../workspace/trust.ts";
import { distrustHere, trustHere } from "../../workspace/trust-here.ts";
import { defineCommand } from "../define-command.ts";
import { requirePerson } from "../require-person.ts";

export const command = defineCommand({
  details:
    "A repository may carry settings and documents for Carryon that others wrote. They count only once you trust the project; " +
    "what is recorded does not depend on it. `carryon init` trusts the project too.",
  examples: [
    { line: "carryon trust", does: "Trust the project of this folder" },
    { line: "carryon trust --list", does: "See which projects you trust" },
    { line: "carryon trust --revoke", does: "Trust it no longer" },
  ],
  define: (command) =>
    command
      .option("--list", "List the projects that are trusted, and where each was")
      .option("--revoke", "Trust this project no longer"),
  run: async (context, _args, { list, revoke }) => {
    if (list) {
      const trusts = await readTrusts(locateHome(context.env, context.userHome));
      if (trusts.length === 0) return context.err("No project is trusted.\n");
      return context.out(trusts.map(({ name, root }) => `${toPrintableLine(`${name}\t${root}`)}\n`).join(""));
    }
    await requirePerson(context, "Only a person says which projects are trusted");
    if (revoke) {
      const was = await distrustHere(context);
      return context.err(was ? "This project is not trusted any more.\n" : "This project was not trusted.\n");
    }
    const isNew = await trustHere(context);
    context.err(isNew ? "This project is trusted.\n" : "This project is trusted already.\n");
  },
});
