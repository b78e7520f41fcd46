import { plural } from "../lib/plural.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { ConversationLog, Verification } from "../sessions/conversation-log.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import type { Session } from "../sessions/session.ts";
import type { CommandContext } from "./command-context.ts";
import { openProgress } from "./progress.ts";
import { renderJson } from "./render-json.ts";

export type Verifiable = Pick<Session, "id" | "entries">;

export interface VerifyTotals {
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

/** Verifies sessions one after another and prints what it finds as it goes. */
export async function verifySessions(
  context: CommandContext,
  log: ConversationLog,
  sessions: AsyncIterable<Verifiable>,
  { json }: { readonly json: boolean },
): Promise<VerifyTotals> {
  const printer = json ? jsonPrinter : textPrinter(context);
  const progress = openProgress(context);
  const totals = { sessions: 0, entries: 0, scrubbed: 0, bad: 0 };
  context.out(printer.start);
  for await (const session of sessions) {
    const verification = await ifThere(
      log.verify(session.id, (entries) =>
        progress.show(`Verifying ${session.id}: ${entries} of ${session.entries}`),
      ),
    );
    progress.clear();
    if (verification === undefined) continue;
    context.out(printer.each(verification, totals.sessions));
    totals.sessions += 1;
    totals.entries += verification.entries;
    totals.scrubbed += verification.scrubbed;
    totals.bad += verification.problem === null ? 0 : 1;
  }
  context.out(printer.end(totals));
  return totals;
}

/** Of a session that was deleted since it was listed, there is nothing to say. */
async function ifThere(verifying: Promise<Verification>): Promise<Verification | undefined> {
  try {
    return await verifying;
  } catch (error) {
    if (error instanceof SessionNotFound) return undefined;
    throw error;
  }
}

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
