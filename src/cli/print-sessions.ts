import type { SessionPage } from "../conversation/conversation-log.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { CommandContext } from "./command-context.ts";
import { renderJson } from "./render-json.ts";
import { toSessionJson } from "./session-json.ts";
import { renderSessions } from "./session-table.ts";

/** Prints one page of sessions, and tells a person how to go on. */
export function printSessions(
  context: CommandContext,
  { sessions, damaged, next }: SessionPage,
  { json, all }: { readonly json: boolean; readonly all: boolean },
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
    const elsewhere = all ? "" : " `carryon sessions --all` looks in all projects.";
    context.err(
      `No sessions.${elsewhere} \`carryon init\` records Claude Code, \`carryon append\` any tool.\n`,
    );
  } else {
    context.out(renderSessions(sessions, context, { withProject: all }));
    if (next !== null) context.err(`There are more: add --cursor ${next}\n`);
  }
}
