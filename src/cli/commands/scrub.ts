import { buffer } from "node:stream/consumers";
import { type Found, findSecret, isFound, type Replaced, scrub } from "../../care/scrub.ts";
import { type AppError, busyError, usageError } from "../../lib/app-error.ts";
import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { literalPattern, regexPattern, type TextPattern } from "../../redaction/text-pattern.ts";
import type { FixedNames, FoundSession, ScrubFinding } from "../../sessions/scrubber.ts";
import { wipeDue } from "../../storage/wipe-due.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { askConsent } from "../consent.ts";
import { defineCommand, jsonOption, yesOption } from "../define-command.ts";
import { openProgress } from "../progress.ts";
import { type Column, renderTable } from "../render-table.ts";

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
  return busyError(
    "wipe-unfinished",
    "The files of the store may still hold it: something reads them, or this user may not rewrite them.",
    { hint: "Run the same command again to finish." },
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
  throw usageError("bad-pattern", "No pattern was given.", {
    hint: "With -, the pattern comes from standard input.",
  });
}

/** Renders the sessions in which something was found. */
function renderFound(sessions: readonly FoundSession[], context: CommandContext): string {
  if (sessions.length === 0) return "";
  const columns: readonly Column<FoundSession>[] = [
    { header: "SESSION", cell: ({ session }) => session, flexible: true, minWidth: 8 },
    { header: "ENTRIES", cell: ({ entries }) => String(entries), align: "right" },
    { header: "ALSO IN", cell: ({ describedIn }) => describedIn.join(", ") || "-", leaves: 1 },
  ];
  return `${renderTable(columns, sessions, { width: context.columns, style: context.style.bold })}\n`;
}

type Amount = Pick<Replaced, "entries" | "sessions" | "projectNames"> &
  Partial<Pick<ScrubFinding, "pending">>;

/** Says in one phrase how much was found or replaced. */
function describeAmount({ entries, sessions, projectNames, pending = 0 }: Amount): string {
  const inSessions =
    entries === 0
      ? `what describes ${plural(sessions, "session")}`
      : `${plural(entries, "entry", "entries")} of ${plural(sessions, "session")}`;
  const names = projectNames === 1 ? "the name of 1 project" : `the names of ${projectNames} projects`;
  return [
    ...(sessions === 0 ? [] : [inSessions]),
    ...(projectNames === 0 ? [] : [names]),
    ...(pending === 0 ? [] : [`${plural(pending, "note", "notes")} for the next sync`]),
  ].join(" and ");
}

/** Says what was done, a line each. */
function describeOutcome(found: Found, replaced: Replaced | null): string {
  if (replaced === null) return describeFinding(found);
  const { entries, sessions, projectNames, wiped } = replaced;
  const { pending } = found;
  const isNew = entries + sessions + projectNames + pending > 0;
  const finished = wiped ? "An earlier scrub has been finished." : "An earlier scrub could not be finished.";
  const lines = [
    isNew ? `Scrubbed ${describeAmount({ ...replaced, pending })}.` : `Nothing was found. ${finished}`,
    "Backups from before, replicas, and the files of a database server may still hold it.",
    "Change the secret: whoever could read the store may have it, and a short one can be guessed from the hashes that stay.",
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function describeFinding(found: Found): string {
  const amount = describeAmount({ ...found, sessions: found.sessions.length });
  const unfinished = found.isUnfinished ? `${wipeDue.what}\n` : "";
  return `${isFound(found) ? `Found in ${amount}` : "Nothing was found"}.\n${unfinished}`;
}

/** Says where it stays because it cannot be taken out here, a line each. */
function renderRest(
  { fixed, otherCase, unreadable, copies, ...found }: Found,
  replaced: Replaced | null,
): string {
  const unread = plural(unreadable, "damaged entry", "damaged entries");
  const damaged = new Set([...found.damaged, ...(replaced?.damaged ?? [])]);
  const lines = [
    ...describeFixed(fixed),
    ...(otherCase === 0 ? [] : [`${describeOtherCase(otherCase)}: --ignore-case takes that out too.`]),
    ...(unreadable === 0 ? [] : [`${unread} could not be looked at: see \`carryon verify\`.`]),
    ...(damaged.size === 0 ? [] : ["The records of these sessions are damaged, and may still hold it:"]),
    ...[...damaged].map((id) => `  ${toPrintableLine(id)}`),
    ...(copies.length === 0 ? [] : ["Other stores that were not looked at:"]),
    ...copies.map((path) => `  ${toPrintableLine(path)}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function describeOtherCase(count: number): string {
  return `What describes ${plural(count, "session")} holds it in another case`;
}

function describeFixed({ sessions, entries, projects }: FixedNames): readonly string[] {
  const places = [
    ...(sessions === 0 ? [] : [`the names of ${plural(sessions, "session")}`]),
    ...(entries === 0 ? [] : [`the names of ${plural(entries, "entry", "entries")}`]),
    ...(projects === 0 ? [] : [`${plural(projects, "folder or remote", "folders or remotes")} of projects`]),
  ];
  if (places.length === 0) return [];
  return [`It stays in ${places.join(", ")}: what things are known by cannot be changed.`];
}
