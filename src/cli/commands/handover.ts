import { Argument, Option } from "@commander-js/extra-typings";
import type { Version } from "../../handover/document-record.ts";
import { draftCommands } from "../../handover/draft-commands.ts";
import type { DraftRequest } from "../../handover/follow-moment.ts";
import type { GivenDecision } from "../../handover/polish.ts";
import { openProjectHandover } from "../../handover/project-handover.ts";
import { toProjectPaths } from "../../handover/project-paths.ts";
import { type AppError, usageError } from "../../lib/app-error.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { readCallersWork } from "../../memory/recorded-work.ts";
import { isNoStore, readHere, writeHere } from "../../workspace/open-here.ts";
import { sessionOf } from "../../workspace/workspace.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { collect, defineCommand, jsonOption } from "../define-command.ts";
import { sayPolish, sayProblems } from "../handover/say-polish.ts";
import { openOutput } from "../paged-output.ts";

/** What `carryon handover draft` is told. */
interface DraftOptions {
  readonly command?: (typeof draftCommands)[number] | undefined;
  readonly done?: readonly string[] | undefined;
  readonly next?: readonly string[] | undefined;
  readonly goal?: string | undefined;
  readonly goals?: string | undefined;
  readonly file?: readonly string[] | undefined;
  readonly session?: string | undefined;
  readonly json?: true | undefined;
}

/** Drafts session.md and says what became of it. */
async function sayDraft(context: CommandContext, options: DraftOptions): Promise<void> {
  await writeHere(context, async (here) => {
    const handover = await openProjectHandover(here);
    const work = await readCallersWork(here, options.session);
    const { isChanged, problems, unlisted } = await handover.draft({
      ...toRequest(context.cwd, here.root, options),
      ...{ work, commandFrom: options.command && context.clock.now() },
    });
    const path = handover.paths.session;
    if (options.json)
      return context.out(`${renderJson({ path, changed: isChanged, problems, unlistedFiles: unlisted })}\n`);
    context.out(`${toPrintableLine(path)}\n`);
    if (!isChanged) context.err("Nothing new; it was left as it is.\n");
    sayProblems(context, { problems, unlisted });
  });
}

/** What was done is in the words that were given, else it is the command. */
function toRequest(
  cwd: string,
  root: string,
  { command, done, next, goal, goals, file = [], session }: DraftOptions,
): DraftRequest {
  return {
    session,
    done: done ?? (command === undefined ? [] : [`/sdd-${command}`]),
    ...(next !== undefined && { next: next.join("\n") }),
    ...(goal !== undefined && { goal }),
    ...(goals !== undefined && { activeGoals: goals }),
    files: toProjectPaths(cwd, root, file),
  };
}

/** Shows the versions of session.md, the newest first. */
async function sayHistory(
  context: CommandContext,
  { json, pager }: { readonly json?: true | undefined; readonly pager: boolean },
): Promise<void> {
  const versions = (await readHistory(context)).toReversed();
  if (json) {
    const found = versions.map(({ at, event, sha256, text }) => ({ at, origin: event, sha256, text }));
    return context.out(`${renderJson({ versions: found })}\n`);
  }
  if (versions.length === 0) return context.err("No version of session.md is in the log.\n");
  const output = openOutput(context, { pager });
  await output.write(versions.map((each) => render(context, each)).join("\n"));
  await output.end();
}

function render({ style }: CommandContext, { at, event, sha256, text }: Version): string {
  const head = `${at.toISOString()}  ${event === "written" ? "written" : "found"}  ${sha256.slice(0, 12)}`;
  return `${style.bold(head)}\n${toPrintable(text).replace(/\n*$/, "\n")}`;
}

async function readHistory(context: CommandContext): Promise<readonly Version[]> {
  try {
    return await readHere(context, async (here) => {
      if (here.project === undefined) return [];
      const handover = await openProjectHandover({ ...here, project: here.project });
      return await handover.history();
    });
  } catch (error) {
    if (isNoStore(error)) return [];
    throw error;
  }
}

export const command = defineCommand({
  details:
    "Archives session.md and writes the one that the next session reads: git, the specs and the decisions are collected, and " +
    "on a terminal you are asked what they cannot tell. The record prefills the answers, and Enter accepts them. " +
    "What you leave out is carried forward; none, なし and - empty it. A draft gets the same texts, asks nobody and " +
    "archives nothing. Every version is in the log before another takes its place.",
  examples: [
    { line: "carryon handover", does: "At the end of a session: five questions" },
    {
      line:
        'carryon handover --accomplished "Login works" --next "Review it" \\\n' +
        '      --decision "Passkeys only" --reason "one way to sign in" \\\n' +
        '      --impact "no reset mails" --warnings none --no-ask',
      does: "The same for an agent; a decision gets its number in decisions.md",
    },
    {
      line: 'carryon handover draft --done "/sdd-design login" --next "Ask for a review"',
      does: "Bring session.md up to date; the next action stays until it is done",
    },
    { line: "carryon handover --history", does: "All versions that session.md has had" },
  ],
  define: (command) => {
    const given = new GivenDecisions();
    return command
      .addArgument(new Argument("[what]", "What to write").choices(["draft"] as const))
      .option("--accomplished <text>", "Replace what was done; may be repeated", collect)
      .option("--next <text>", "Replace the next action; may be repeated", collect)
      .option(
        "--decision <text>",
        "Add a decision; without a D-number it gets one; may be repeated",
        given.add,
      )
      .addOption(new Option("--decisions <text>", "The same").argParser(given.add).hideHelp())
      .option("--reason <text>", "Why the decision or exception before it was made", given.explain("reason"))
      .option("--impact <text>", "What follows from the one before it", given.explain("impact"))
      .option("--warnings <text>", "Add what to beware of; may be repeated", collect)
      .option("--tone <text>", "Replace the tone and mood of the work; may be repeated", collect)
      .option("--exceptions <text>", "Add what departs from steering on purpose; may be repeated", given.add)
      .option("--steering-ref <text>", "The steering document that the exceptions depart from")
      .option("--goal <text>", "What the session is for")
      .option("--goals <text>", "The active goals, in Markdown")
      .option("--file <path>", "A file that was changed, beside those git knows; may be repeated", collect)
      .option("--session <id>", "The agent's session whose work it is (default: the one that runs it)")
      .option("--no-ask", "Ask nothing")
      .addOption(
        new Option("--command <name>", "With draft: the command that has completed").choices(draftCommands),
      )
      .option("--done <text>", "With draft: something that was done; may be repeated", collect)
      .option("--history", "Show the versions of session.md, newest first")
      .option("--no-pager", "Do not page")
      .addOption(jsonOption());
  },
  run: async (context, [what], { history, pager, ask, ...given }) => {
    // Who hands over from within an agent need not say in which session.
    const session = given.session ?? sessionOf(context);
    const options = { ...given, session };
    const { accomplished, warnings, tone, exceptions, steeringRef, reason, impact, json, ...others } =
      options;
    const { decision, decisions: more, ...rest } = others;
    const decisions = decision && more ? [...decision, ...more] : (decision ?? more);
    const answers = { accomplished, decisions, warnings, tone, exceptions, steeringRef };
    const { command, done, goals, file = [], ...shared } = rest;
    if (history) {
      if (what !== undefined) throw badHandover("`draft` and `--history` do not go together.");
      return sayHistory(context, { json, pager });
    }
    if (what === "draft") {
      const { decisions: decided, ...beside } = answers;
      refuse("for a draft", { ...beside, decision: decided, reason, impact });
      await catchUp(context);
      return sayDraft(context, { ...rest, json });
    }
    refuse("without draft", { command, done });
    const said = { ...answers, ...shared, activeGoals: goals };
    await catchUp(context);
    return sayPolish(context, said, { files: file, ask, json });
  },
});

/** Gathers decisions and exceptions in the order of the command line: a reason and an impact are of the one before them. */
class GivenDecisions {
  #last: { text: string; reason?: string; impact?: string } | undefined;

  readonly add = (text: string, before: GivenDecision[] = []): GivenDecision[] => {
    this.#last = { text };
    return [...before, this.#last];
  };

  readonly explain = (field: "reason" | "impact") => (text: string) => {
    if (this.#last === undefined) throw badHandover(`--${field} stands behind the decision that it is for.`);
    this.#last[field] = text;
    return text;
  };
}

/** What belongs to another way of writing would be forgotten silently. */
function refuse(where: string, options: Readonly<Record<string, unknown>>): void {
  const [name] = Object.entries(options).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (name === undefined) return;
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw badHandover(`There is no --${flag} ${where}.`);
}

function badHandover(message: string): AppError {
  return usageError("bad-handover", message, { hint: "See `carryon handover --help`." });
}
