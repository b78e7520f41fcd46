import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type KeptSession, listKeptSessions, sessionsFolder } from "../../formats/locate-claude-master.ts";
import { AppError, unlessGone } from "../../lib/app-error.ts";
import { plural } from "../../lib/describe.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { isNoStore, readHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { runImport } from "../formats/run-import.ts";
import type { RunRequest } from "./open-asked.ts";

/** Which run is wanted. */
interface Wanted {
  readonly isResume: boolean;
  readonly session?: string | undefined;
}

/** Opens a run. Where a run to resume is not here, but claude-master has kept it, that is offered for import first. */
export async function openOrOffer<Run>(
  context: CommandContext,
  wanted: Wanted,
  open: () => Promise<Run>,
): Promise<Run> {
  try {
    return await open();
  } catch (error) {
    if (!wanted.isResume || !(error instanceof AppError) || !missing.has(error.code)) throw error;
    const kept = (await listNew(context, context.cwd)).filter(({ id }) => isWanted(wanted, id));
    if (kept.length === 0) throw error;
    if (!context.isTerminal.input) throw keptElsewhere(error, kept);
    const question = `${error.message} Take in ${describeKept(kept)}, and go on with the latest?`;
    if (!(await context.confirm(question))) throw error;
    await takeIn(context, context.cwd);
    return open();
  }
}

const missing: ReadonlySet<string> = new Set(["no-run", "session-not-found"]);

function isWanted({ session = "latest" }: Wanted, id: string): boolean {
  return session === "latest" || id.startsWith(session);
}

/** Says how a run is kept where claude-master keeps its own, in a project that has such a folder. */
export async function offerFolder(
  { cwd, err }: CommandContext,
  { sessionFile, sessionDir, json }: Pick<RunRequest, "sessionFile" | "sessionDir" | "json">,
): Promise<void> {
  if (json || sessionFile !== undefined || sessionDir !== undefined) return;
  const stats = await unlessGone(lstat(join(cwd, sessionsFolder)));
  if (stats?.isDirectory()) err(`\`--session-dir ${sessionsFolder}\` keeps a file of the run there too.\n`);
}

/** Takes in the runs that claude-master has kept in a project, if there are some that are new and it is wanted. */
export async function offerKeptRuns(
  context: CommandContext,
  root: string,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  const kept = await listNew(context, root);
  if (kept.length === 0) return;
  if (yes || (await context.confirm(`Take in ${describeKept(kept)}?`))) await takeIn(context, root);
}

/** What is taken in is told beside the answer of the command. */
function takeIn(context: CommandContext, root: string): Promise<void> {
  return runImport(context, join(root, sessionsFolder), { print: (text) => context.err(text) });
}

function describeKept(kept: readonly KeptSession[]): string {
  return `${plural(kept.length, "run")} of claude-master from ${sessionsFolder}`;
}

async function listNew(context: CommandContext, root: string): Promise<readonly KeptSession[]> {
  const kept = await listKeptSessions(root);
  if (kept.length === 0) return [];
  try {
    return await readHere(context, async ({ store }) => {
      const isKnown = async (id: string) =>
        (await store.log.list({ id: id as SessionId })).sessions.length > 0;
      // A run of Carryon is called like its file.
      const known = await Promise.all(
        kept.map(async ({ id }) => (await isKnown(id)) || (await isKnown(`session-${id}`))),
      );
      return kept.filter((_, index) => !known[index]);
    });
  } catch (error) {
    if (isNoStore(error)) return kept;
    throw error;
  }
}

/** Says that claude-master has kept runs here, where the store has none of them. */
export async function hintAtKept(context: CommandContext): Promise<string | undefined> {
  const kept = await listNew(context, context.cwd);
  return kept.length === 0 ? undefined : `No runs here. Found ${describeKept(kept)}. ${takeInHint}\n`;
}

const takeInHint = `Take them in with \`carryon import ${sessionsFolder}\`.`;

function keptElsewhere({ message, kind, code }: AppError, kept: readonly KeptSession[]): AppError {
  return new AppError(`${message} Found ${describeKept(kept)}.`, {
    ...{ kind, code, hint: takeInHint },
  });
}
