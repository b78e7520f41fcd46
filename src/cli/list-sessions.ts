import { locateRoot } from "../git/locate-root.ts";
import { isSetUp } from "../install/locate-settings.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { catchUp } from "../lifecycle/catch-up.ts";
import { type ListRequest, listSessions, type ShownPage } from "../workspace/list-sessions.ts";
import { type CommandContext, renderJson } from "./command-context.ts";
import { showIndexing } from "./search/show-indexing.ts";
import { toSessionJson } from "./session-json.ts";
import { renderSessions } from "./session-table.ts";

/** How many sessions a list has, unless told. */
export const usualLimit = 50;

/** Which sessions are listed, and how. */
interface SayListRequest extends ListRequest {
  readonly json: boolean;
}

/** Prints sessions, newest first, and tells a person how to go on. */
export async function sayList(context: CommandContext, request: SayListRequest): Promise<void> {
  const { choice, grep, json } = request;
  await catchUp(context);
  const page = await showIndexing(context, (show) => listSessions(context, request, show));
  const { sessions, damaged, next } = page;
  if (json) return context.out(`${renderJson({ sessions: sessions.map(toSessionJson), damaged, next })}\n`);
  const isEmpty = sessions.length === 0;
  if (isEmpty && grep !== undefined) return context.err("No session has that.\n");
  const isHere = isEmpty && (await isSetUp(context, await locateRoot(context.cwd)));
  printPage(context, page, { all: choice.all === true, isSetUp: isHere });
}

function printPage(
  context: CommandContext,
  { sessions, damaged, next, shortId }: ShownPage,
  { all, isSetUp }: { readonly all: boolean; readonly isSetUp: boolean },
): void {
  for (const id of damaged) {
    context.err(
      `Session ${toPrintableLine(id)} cannot be read: its record is damaged. See \`carryon doctor\`.\n`,
    );
  }
  if (sessions.length === 0) {
    const elsewhere = all
      ? ""
      : "`carryon sessions --all` lists those of all projects, `carryon relink OLD_PATH` brings them here if this folder has moved.\n";
    const record = isSetUp
      ? "Start `claude` here: it is recorded"
      : "`carryon init` records Claude Code from now on";
    context.err(
      `No sessions. ${record}, \`carryon import claude-code\` takes in what it has kept, \`carryon chat\` talks to a model, \`carryon append\` records any tool.\n${elsewhere}`,
    );
  } else {
    context.out(renderSessions(sessions, context, { withProject: all, shortId }));
    if (next !== null)
      context.err(
        `These are the newest ${sessions.length}. For older ones add --cursor ${next} or a greater --limit.\n`,
      );
  }
}
