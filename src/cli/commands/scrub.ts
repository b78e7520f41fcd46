import { defineCommand } from "../define-command.ts";
import { jsonOption, yesOption } from "../parse-options.ts";
import { renderJson } from "../render-json.ts";
import { collectSpool, findInStore, replaceInStore } from "../scrub/change-store.ts";
import { readPattern } from "../scrub/read-pattern.ts";
import { describeOutcome, renderFound, renderRest, wipeUnfinished } from "../scrub/report.ts";

export const command = defineCommand({
  details:
    "Looks through all sessions of all projects, and replaces what it finds by a marker in every entry, title, tag, folder and branch. " +
    "The hashes stay and each session notes what was replaced, so that `carryon verify` still passes; a secret that is short or one of few can be guessed from them, so change it all the same. " +
    "The pattern is plain text unless --regex is given; for - it is read from standard input, so that the secret stands neither in the history of the shell nor in the list of processes. " +
    "It asks on a terminal; a script has to say --yes.",
  examples: [
    { line: "carryon scrub -", does: "Type or paste the secret unseen; asks before anything changes" },
    { line: "pass show shop/api-key | carryon scrub - --yes", does: "Take it from a password manager" },
    { line: "carryon scrub --regex 'acme_[0-9a-f]{32}' --dry-run", does: "Only see where such keys are" },
  ],
  define: (command) =>
    command
      .argument("<pattern>", "The text to take out, at least 4 characters; - reads it from standard input")
      .option("--regex", "The pattern is a regular expression of JavaScript (flags gu)")
      .option("--ignore-case", "Upper and lower case are the same")
      .option("--dry-run", "Only list where it is")
      .addOption(yesOption())
      .addOption(jsonOption()),
  run: async (context, [given], { regex, ignoreCase, dryRun, yes, json }) => {
    const choice = { regex: regex === true, ignoreCase: ignoreCase === true };
    const pattern = await readPattern(context, given, choice);
    await collectSpool(context);
    const found = await findInStore(context, pattern);
    if (!json) context.out(renderFound(found.sessions, context));
    const replaced = dryRun ? null : await replaceInStore(context, pattern, found, { yes: yes === true });
    const { isUnfinished, ...answer } = found;
    const unfinished = replaced === null ? isUnfinished : !replaced.wiped;
    if (json) context.out(`${renderJson({ ...answer, unfinished, replaced })}\n`);
    else context.err(describeOutcome(found, replaced) + renderRest(found, replaced));
    if (replaced?.wiped === false) throw wipeUnfinished();
  },
});
