import { GitRefused } from "../git/git-run.ts";
import { parseDuration } from "../lib/duration.ts";
import { findUnneededFiles, type UnneededFiles } from "../run/unneeded-files.ts";
import { type Deletion, listAll } from "../sessions/conversation-log.ts";
import type { ClientName, Session } from "../sessions/session.ts";
import { pinnedTag } from "../sessions/session-events.ts";
import { findLosses, type Losses } from "../share/find-losses.ts";
import { forgetTrees } from "../work/list-trees.ts";
import { chooseProject, type ProjectChoice } from "../workspace/choose-project.ts";
import { findToDestroy } from "../workspace/open-here.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import type { Caller } from "../workspace/workspace.ts";

/** Sessions that are to be deleted, and what others lose with them. */
export interface Doomed {
  readonly sessions: readonly Session[];
  readonly losses: Losses;
}

/** Finds the sessions that a person names: all of them before any is deleted, so that a mistyped id deletes nothing. */
export async function findNamed(
  context: Caller,
  here: WritableProject,
  ids: readonly string[],
): Promise<Doomed> {
  const found = await Promise.all(ids.map((id) => findToDestroy(context, here, id)));
  const sessions = [...new Map(found.map((session) => [session.id, session])).values()];
  return { sessions, losses: await findLosses(here, sessions) };
}

/** Which old sessions are to go. */
export interface CleanRequest extends ProjectChoice {
  /** Without a change in so many milliseconds; 30 days unless given. */
  readonly olderThan?: number | undefined;
  readonly client?: ClientName;
}

/** Finds the sessions that nothing was added to for a while, and the files of rounds that nobody needs without them. */
export async function findOld(
  context: Caller,
  here: WritableProject,
  request: CleanRequest,
): Promise<Doomed & { readonly files: readonly UnneededFiles[] }> {
  const sessions = await listOld(context, here, request);
  const files = await findFilesOf(context, here, sessions);
  return { sessions, files, losses: await findLosses(here, sessions) };
}

async function listOld(
  { clock }: Caller,
  here: WritableProject,
  { olderThan = parseDuration("30d"), client, ...choice }: CleanRequest,
): Promise<readonly Session[]> {
  const scope = await chooseProject(here, choice);
  if (scope === "nothing") return [];
  const now = clock.now();
  const updatedBefore = new Date(now.getTime() - olderThan);
  const query = { ...scope, ...(client === undefined ? {} : { client }), updatedBefore, now };
  const found = await Array.fromAsync(listAll(here.store.log, query));
  return found.filter(({ tags, writer }) => !tags.includes(pinnedTag) && writer === null);
}

/** Finds the files of rounds that nobody needs when some sessions are gone: where these worked, and here. */
function findFilesOf(
  { env }: Caller,
  { store, root }: WritableProject,
  sessions: readonly Session[],
): Promise<readonly UnneededFiles[]> {
  const runs = sessions.filter(({ client }) => client === "carryon-run");
  const going = new Set<string>(sessions.map(({ id }) => id));
  return findUnneededFiles(store, { folders: [...runs.map(({ cwd }) => cwd), root], env, going });
}

/** Hears of each deletion as soon as it is done. */
export interface DeleteSteps {
  deleted(deletion: Deletion): void;
  /** `refusal` is what git said where the files stay. */
  filesRemoved(files: UnneededFiles, refusal: string | undefined): void;
}

/** Deletes sessions, and the files of rounds that nobody needs then; returns how many bytes the disk got back. */
export async function deleteSessions(
  context: Caller,
  here: WritableProject,
  sessions: readonly Session[],
  steps: DeleteSteps,
): Promise<number> {
  // Looked for now: a fork that was made while a person was asked needs its files.
  const files = await findFilesOf(context, here, sessions);
  for (const { id, head } of sessions) {
    // What was added while the question was open is not what the answer was about.
    steps.deleted(await here.store.log.delete(id, context.clock.now(), { ifHead: head }));
  }
  for (const each of files) steps.filesRemoved(each, await removeFiles(each));
  // Until then what was deleted can still be found in the files of the store.
  return here.store.compact();
}

/** A repository that cannot be written keeps them, which is no reason to fail. */
async function removeFiles({ run, trees }: UnneededFiles): Promise<string | undefined> {
  try {
    await forgetTrees(run, trees);
    return undefined;
  } catch (error) {
    if (!(error instanceof GitRefused)) throw error;
    return error.said;
  }
}
