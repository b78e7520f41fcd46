import { parseDuration } from "../lib/duration.ts";
import { formatBytes } from "../lib/format-bytes.ts";
import { plural } from "../lib/plural.ts";
import { listAll } from "../sessions/list-all.ts";
import type { Client, Session } from "../sessions/session.ts";
import { pinnedTag } from "../sessions/session-events.ts";
import { chooseProject, type ProjectChoice } from "../workspace/choose-project.ts";
import { writeHere } from "../workspace/open-here.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import type { CommandContext } from "./command-context.ts";
import { askConsent } from "./consent.ts";
import { deleteSessions } from "./delete-sessions.ts";
import { describeUnneeded, findFilesOf, removeFiles } from "./run/remove-files.ts";
import { renderSessions } from "./session-table.ts";
import { warnOfLosses } from "./share/warn-of-losses.ts";
import { readTableIds } from "./short-ids.ts";

/** Which sessions are to go. */
export interface CleanRequest extends ProjectChoice {
  /** Without a change in so many milliseconds; 30 days unless given. */
  readonly olderThan?: number | undefined;
  readonly client?: Client;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Deletes old sessions, and the files of rounds that nobody needs then; lists them first, and asks. */
export async function cleanSessions(context: CommandContext, request: CleanRequest): Promise<void> {
  const { dryRun, yes, all } = request;
  await writeHere(context, async (here) => {
    const old = await findOld(context, here, request);
    const files = await findFilesOf(context, here, old);
    if (old.length === 0 && files.length === 0) return context.err("There is nothing to clean.\n");
    const shortId = await readTableIds(context, here.store.log, old);
    if (old.length > 0) context.out(renderSessions(old, context, { withProject: all === true, shortId }));
    await warnOfLosses(context, here, old);
    if (dryRun) return context.err(describePlan(old, files));
    const question = askFor(old, files);
    if (!(await askConsent(context, { yes: yes === true, question, otherwise: "Nothing was deleted." })))
      return;
    await deleteSessions(context, here.store.log, old);
    await removeFiles(context, files);
    const freed = await here.store.compact();
    if (freed > 0) context.err(`${formatBytes(freed)} were given back to the disk.\n`);
  });
}

async function findOld(
  context: CommandContext,
  here: WritableProject,
  { olderThan = parseDuration("30d"), client, ...choice }: CleanRequest,
): Promise<readonly Session[]> {
  const scope = await chooseProject(here, choice);
  if (scope === "nothing") return [];
  const now = context.clock.now();
  const updatedBefore = new Date(now.getTime() - olderThan);
  const query = { ...scope, ...(client === undefined ? {} : { client }), updatedBefore, now };
  const found = await Array.fromAsync(listAll(here.store.log, query));
  return found.filter(({ tags, writer }) => !tags.includes(pinnedTag) && writer === null);
}

type Files = Awaited<ReturnType<typeof findFilesOf>>;

function describePlan(old: readonly Session[], files: Files): string {
  const sessions = old.length === 0 ? "" : `${plural(old.length, "session")} would be deleted.\n`;
  const rounds = files.length === 0 ? "" : `The files of ${describeUnneeded(files)} would be removed.\n`;
  return sessions + rounds;
}

function askFor(old: readonly Session[], files: Files): string {
  if (old.length === 0)
    return `Remove the files of ${describeUnneeded(files)}, whose sessions are gone, for good?`;
  return `Delete ${old.length === 1 ? "this session" : `these ${old.length} sessions`} for good?`;
}
