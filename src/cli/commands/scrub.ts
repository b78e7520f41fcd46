import { buffer } from "node:stream/consumers";
import { type Found, findSecret, isFound, type Replaced, scrub } from "../../care/scrub.ts";
import { AppError } from "../../lib/app-error.ts";
import { literalPattern, regexPattern, type TextPattern } from "../../redaction/text-pattern.ts";
import type { CommandContext } from "../command-context.ts";
import { askConsent } from "../consent.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption, yesOption } from "../parse-options.ts";
import { openProgress } from "../progress.ts";
import { renderJson } from "../render-json.ts";
import { describeAmount, describeOutcome, renderFound, renderRest } from "../scrub-report.ts";

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
    const progress = openProgress(context);
    const found = await findSecret(context, pattern, (entries) =>
      progress.show(`Looked at ${entries} entries`),
    );
    progress.clear();
    if (!json) context.out(renderFound(found.sessions, context));
    const replaced = dryRun ? null : await replace(context, pattern, found, { yes: yes === true });
    const { isUnfinished, ...answer } = found;
    const unfinished = replaced === null ? isUnfinished : !replaced.wiped;
    if (json) context.out(`${renderJson({ ...answer, unfinished, replaced })}\n`);
    else context.err(describeOutcome(found, replaced) + renderRest(found, replaced));
    if (replaced?.wiped === false) throw wipeUnfinished();
  },
});

/** Replaces what was found, after consent; null when there is nothing to do or nobody consents. */
async function replace(
  context: CommandContext,
  pattern: TextPattern,
  found: Found,
  { yes }: { readonly yes: boolean },
): Promise<Replaced | null> {
  const isNew = isFound(found);
  if (!isNew && !found.isUnfinished) return null;
  // To finish what was consented to before, nobody is asked again.
  const consents = await askConsent(context, {
    yes: yes || !isNew,
    question: `Replace it for good in ${describeAmount({ ...found, sessions: found.sessions.length })}?`,
    otherwise: "Nothing was scrubbed.",
  });
  if (!consents) return null;
  const progress = openProgress(context);
  const replaced = await scrub(context, pattern, (entries) =>
    progress.show(`Went through ${entries} entries`),
  );
  progress.clear();
  return replaced;
}

/** Says that a scrub is done but for the files of the store. */
function wipeUnfinished(): AppError {
  return new AppError(
    "The files of the store may still hold it: something reads them, or this user may not rewrite them.",
    { kind: "busy", code: "wipe-unfinished", hint: "Run the same command again to finish." },
  );
}

/** Makes the pattern that was given, or for `-` the one that is typed unseen on the terminal or comes from a pipe. */
async function readPattern(
  context: CommandContext,
  given: string,
  { regex, ignoreCase }: { readonly regex: boolean; readonly ignoreCase: boolean },
): Promise<TextPattern> {
  const text = given === "-" ? await readText(context) : given;
  return regex ? regexPattern(text, { ignoreCase }) : literalPattern(text, { ignoreCase });
}

/** All lines of a pipe, so that of a private key not only the first is taken; the newline at the end is none of them. */
async function readText(context: CommandContext): Promise<string> {
  const text = context.isTerminal.input
    ? ((await context.askSecret("What is to be scrubbed?")) ?? "")
    : (await buffer(context.input)).toString("utf8").replace(/\r?\n$/, "");
  if (text !== "") return text;
  throw new AppError("No pattern was given.", {
    kind: "usage",
    code: "bad-pattern",
    hint: "With -, the pattern comes from standard input.",
  });
}
