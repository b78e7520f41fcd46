import { toPrintableLine } from "../lib/printable.ts";
import type { SessionPage } from "../sessions/conversation-log.ts";
import type { CommandContext } from "./command-context.ts";
import { renderJson } from "./render-json.ts";
import { toSessionJson } from "./session-json.ts";
import { renderSessions } from "./session-table.ts";
import type { ShortId } from "./short-ids.ts";

/** How a page of sessions is printed. */
interface PageView {
  readonly json: boolean;
  readonly all: boolean;
  readonly isSetUp: boolean;
  readonly shortId: ShortId;
}

/** Prints one page of sessions, and tells a person how to go on. */
export function printSessions(
  context: CommandContext,
  { sessions, damaged, next }: SessionPage,
  { json, all, isSetUp, shortId }: PageView,
): void {
  if (json) {
    context.out(`${renderJson({ sessions: sessions.map(toSessionJson), damaged, next })}\n`);
    return;
  }
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
