import { verify } from "../../care/verify.ts";
import { ioError } from "../../lib/app-error.ts";
import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { Verification } from "../../sessions/conversation-log.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption, sessionHelp } from "../define-command.ts";
import { openProgress } from "../progress.ts";

export const command = defineCommand({
  details:
    "Recomputes the hash of each entry from the first on and compares, and title, tags and status with what the entries say. Without an id, all sessions of all projects.",
  examples: [
    { line: "carryon verify", does: "Check everything" },
    { line: "carryon verify latest", does: "Check one session, what it shares with its origin included" },
    { line: "carryon verify --json | jq .ok", does: "For a script: true, or false and exit code 74" },
  ],
  define: (command) => command.argument("[id]", sessionHelp).addOption(jsonOption()),
  run: async (context, [id], { json }) => {
    const printer = json ? jsonPrinter : textPrinter(context);
    const progress = openProgress(context);
    const totals = { sessions: 0, entries: 0, scrubbed: 0, bad: 0 };
    const show = (session: { readonly id: string; readonly entries: number }, entries: number) =>
      progress.show(`Verifying ${session.id}: ${entries} of ${session.entries}`);
    let start = printer.start;
    for await (const verification of verify(context, id, show)) {
      progress.clear();
      context.out(start + printer.each(verification, totals.sessions));
      start = "";
      totals.sessions += 1;
      totals.entries += verification.entries;
      totals.scrubbed += verification.scrubbed;
      totals.bad += verification.problem === null ? 0 : 1;
    }
    context.out(start + printer.end(totals));
    if (totals.bad === 0) return;
    throw ioError("verification-failed", `${plural(totals.bad, "session")} did not verify.`, {
      hint: "What comes before the named entry is intact; a backup may have the rest. See `carryon doctor`.",
    });
  },
});

interface VerifyTotals {
  readonly sessions: number;
  readonly entries: number;
  readonly scrubbed: number;
  readonly bad: number;
}

/** How verifications are printed: a line each, or one JSON document that is written as they come. */
interface Printer {
  readonly start: string;
  readonly each: (verification: Verification, index: number) => string;
  readonly end: (totals: VerifyTotals) => string;
}

const jsonPrinter: Printer = {
  start: '{"sessions":[',
  each: (verification, index) => `${index === 0 ? "" : ","}\n${renderJson(verification)}`,
  end: ({ bad }) => `\n],"ok":${bad === 0}}\n`,
};

function textPrinter({ style }: CommandContext): Printer {
  return {
    start: "",
    each: ({ session, entries, scrubbed, problem }) => {
      const amount = `${plural(entries, "entry", "entries")}${scrubbed === 0 ? "" : `, ${scrubbed} scrubbed`}`;
      if (problem === null) return `${style.green("ok")}   ${session}  ${amount}\n`;
      const id = problem.entry === null ? "" : ` (${toPrintableLine(problem.entry)})`;
      const where = problem.seq === 0 ? "" : `entry ${problem.seq}${id}: `;
      return `${style.red("BAD")}  ${toPrintableLine(session)}  ${where}${toPrintableLine(problem.reason)}\n`;
    },
    end: ({ sessions, entries, scrubbed, bad }) =>
      bad === 0
        ? `${plural(sessions, "session")}, ${plural(entries, "entry", "entries")}: all whole and unchanged${scrubbed === 0 ? "" : " but for what was scrubbed"}.\n`
        : `${plural(sessions, "session")}, ${bad} of them damaged.\n`,
  };
}
