import type { DraftRequest } from "../../handover/draft.ts";
import type { draftCommands } from "../../handover/draft-commands.ts";
import { openProjectHandover } from "../../handover/project-handover.ts";
import { toProjectPaths } from "../../handover/project-paths.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { writeHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { sayProblems } from "./say-problems.ts";

/** What `carryon handover draft` is told. */
export interface DraftOptions {
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
export async function sayDraft(context: CommandContext, options: DraftOptions): Promise<void> {
  await writeHere(context, async (here) => {
    const handover = await openProjectHandover(here);
    const { isChanged, problems, unlisted } = await handover.draft(
      toRequest(context.cwd, here.root, options),
    );
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
