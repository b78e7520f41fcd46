import { type CleanRequest, type Doomed, deleteSessions, findOld } from "../care/delete.ts";
import { formatBytes, plural } from "../lib/describe.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { UnneededFiles } from "../run/unneeded-files.ts";
import type { Deletion } from "../sessions/conversation-log.ts";
import type { Session } from "../sessions/session.ts";
import { readTableIds } from "../sessions/short-ids.ts";
import { writeHere } from "../workspace/open-here.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import type { CommandContext } from "./command-context.ts";
import { askConsent } from "./consent.ts";
import { renderSessions } from "./session-table.ts";

/** Deletes old sessions, and the files of rounds that nobody needs then; lists them first, and asks. */
export async function cleanSessions(
  context: CommandContext,
  request: CleanRequest & { readonly dryRun?: boolean | undefined; readonly yes?: boolean | undefined },
): Promise<void> {
  const { dryRun, yes, ...choice } = request;
  await writeHere(context, async (here) => {
    const old = await findOld(context, here, choice);
    const { sessions, files } = old;
    if (sessions.length === 0 && files.length === 0) return context.err("There is nothing to clean.\n");
    const shortId = await readTableIds(context, here.store.log, sessions);
    if (sessions.length > 0)
      context.out(renderSessions(sessions, context, { withProject: choice.all === true, shortId }));
    context.err(describeLosses(old));
    if (dryRun) return context.err(describePlan(sessions, files));
    const question = askFor(sessions, files);
    const freed = await askToDelete(context, here, sessions, { yes: yes === true, question });
    if (freed > 0) context.err(`${formatBytes(freed)} were given back to the disk.\n`);
  });
}

/** Deletes sessions after consent and says of each what is gone and what stays; returns how many bytes the disk got back. */
export async function askToDelete(
  context: CommandContext,
  here: WritableProject,
  sessions: readonly Session[],
  request: { readonly yes: boolean; readonly question: string },
): Promise<number> {
  if (!(await askConsent(context, { ...request, otherwise: "Nothing was deleted." }))) return 0;
  return deleteSessions(context, here, sessions, {
    deleted: (deletion) => context.err(`${describeDeletion(deletion)}\n`),
    filesRemoved: (files, refusal) => {
      const where = describeUnneeded([files]);
      if (refusal === undefined) context.err(`Removed the files of ${where}.\n`);
      else context.err(`The files of ${where} stay. Git said: ${toPrintableLine(refusal)}\n`);
    },
  });
}

function describeDeletion({ session, reclaimed, shared }: Deletion): string {
  const stays = shared === 0 ? "" : `, ${plural(shared, "entry", "entries")} kept for its forks`;
  return `Deleted ${session}: ${plural(reclaimed, "entry", "entries")} gone${stays}.`;
}

/** Says that others lose sessions too when they are deleted; empty where nobody does. */
export function describeLosses({ sessions, losses: { sessions: lost, stores } }: Doomed): string {
  if (lost.length === 0) return "";
  const which = lost.length < sessions.length ? `${lost.length} of them` : "";
  const [subject, object] = sessions.length === 1 ? ["It", "it"] : [which || "They", "them"];
  const isOne = lost.length === 1;
  const how =
    stores.length > 0
      ? `${isOne ? "is" : "are"} shared through ${stores.map(toPrintableLine).join(" and ")}`
      : "came from elsewhere";
  const was = isOne ? "it was" : "they were";
  return `${subject} ${how}: with the next push or sync others lose ${isOne ? "it" : object} too, unless ${was} begun or continued there.\n`;
}

/** Says what is kept of rounds that nobody needs. */
function describeUnneeded(found: readonly UnneededFiles[]): string {
  return found
    .map(({ root, trees }) => `${plural(trees.length, "round")} in ${toPrintableLine(root)}`)
    .join(", ");
}

function describePlan(old: readonly Session[], files: readonly UnneededFiles[]): string {
  const sessions = old.length === 0 ? "" : `${plural(old.length, "session")} would be deleted.\n`;
  const rounds = files.length === 0 ? "" : `The files of ${describeUnneeded(files)} would be removed.\n`;
  return sessions + rounds;
}

function askFor(old: readonly Session[], files: readonly UnneededFiles[]): string {
  if (old.length === 0)
    return `Remove the files of ${describeUnneeded(files)}, whose sessions are gone, for good?`;
  return `Delete ${old.length === 1 ? "this session" : `these ${old.length} sessions`} for good?`;
}
