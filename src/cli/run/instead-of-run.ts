import { AppError } from "../../lib/app-error.ts";
import type { CommandContext } from "../command-context.ts";
import { cleanSessions } from "../delete-sessions.ts";
import { sayList } from "../list-sessions.ts";

/** What can be asked of `carryon run` in the place of a run: other commands do it too. */
interface InsteadOfRun {
  readonly listSessions?: true | undefined;
  readonly cleanSessions?: true | undefined;
  readonly olderThan?: number | undefined;
  readonly dryRun?: true | undefined;
  readonly diff?: readonly string[] | undefined;
  readonly merge?: readonly string[] | undefined;
  readonly replay?: string | undefined;
  readonly withModel?: string | undefined;
  readonly yes?: true | undefined;
  readonly json?: true | undefined;
}

/** The options that have an effect only when a run goes on from a round. */
interface RoundOptions {
  readonly resume?: true | undefined;
  readonly restoreFiles?: true | undefined;
  readonly worktree?: string | undefined;
}

const client = "carryon-run";

/** Does what is asked for in the place of a run, and tells whether something was. */
export async function doInstead(
  context: CommandContext,
  text: string | undefined,
  options: InsteadOfRun & RoundOptions,
): Promise<boolean> {
  const { olderThan, dryRun, diff, merge, yes, json } = options;
  requireWhole(text, options);
  requireEffect(options);
  const asked = [options.listSessions, options.cleanSessions, diff, merge].find((each) => each !== undefined);
  if (asked === undefined) return false;
  if (text !== undefined) throw badRequest("A task cannot be run together with this.");
  if (options.listSessions === true) await listRuns(context, { json: json === true });
  else if (options.cleanSessions === true) await cleanSessions(context, { client, olderThan, dryRun, yes });
  else await compareOrMerge(context, options);
  return true;
}

/** An option without the one that it belongs to must not let something run that was not meant. */
function requireWhole(text: string | undefined, options: InsteadOfRun): void {
  const { olderThan, dryRun, replay, withModel } = options;
  if (options.cleanSessions === undefined && (olderThan !== undefined || dryRun !== undefined))
    throw badRequest("--older-than and --dry-run belong to --clean-sessions.");
  if (replay === undefined && withModel !== undefined) throw badRequest("--with-model belongs to --replay.");
  if (replay !== undefined && text !== undefined) throw badRequest("A replay has the task of its run.");
}

/** An option that is ignored lets a run work on other files than were meant. */
function requireEffect(options: InsteadOfRun & RoundOptions): void {
  const { resume, restoreFiles, worktree, replay } = options;
  const ofRound = worktree !== undefined ? "--worktree" : restoreFiles ? "--restore-files" : undefined;
  if (ofRound !== undefined && replay !== undefined)
    throw badRequest(
      `${ofRound} needs a round, which --replay does not take.`,
      "Run `carryon replay ID --from-round N --worktree DIR`.",
    );
  // Without a round to go back to, a resume says so itself.
  if (ofRound !== undefined && resume === undefined)
    throw badRequest(
      `${ofRound} needs --fork-at-round: a new run works on the files as they are.`,
      "For a new run make the work tree first: `git worktree add DIR`, then `carryon run TASK -d DIR`. " +
        "For the files of a round: `carryon run --resume --fork-at-round N --worktree DIR`.",
    );
}

function listRuns(context: CommandContext, { json }: { readonly json: boolean }): Promise<void> {
  const none = 'No runs here. Begin one with `carryon run "TASK"`.';
  return sayList(context, { choice: {}, query: { client, limit: 50 }, json, none });
}

async function compareOrMerge(
  context: CommandContext,
  { diff, merge = [], ...given }: InsteadOfRun,
): Promise<void> {
  const json = given.json === true;
  if ((diff ?? merge).length > 2) throw badRequest("Two sessions can be compared or merged, not more.");
  const [left = "", right] = diff ?? [];
  if (diff !== undefined)
    return (await import("../diff/show-diff.ts")).showDiff(context, { left, right, json });
  const [id = "", other] = merge;
  return (await import("../say-merge.ts")).sayMerge(context, { id, other, json });
}

function badRequest(message: string, hint = "See `carryon run --help`."): AppError {
  return new AppError(message, { kind: "usage", code: "bad-run-request", hint });
}
