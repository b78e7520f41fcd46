import { locateClient } from "../../clients/claude-code/locate-client.ts";
import { readDatedDecisions } from "../../handover/dated-decisions.ts";
import { requireQuiet } from "../../lifecycle/require-quiet.ts";
import { readClientFolders } from "../../recording/client-folders.ts";
import { SessionNotFound } from "../../sessions/errors.ts";
import { type Merged, type MergePlan, mergeSessions, planMerge } from "../../sessions/merge-sessions.ts";
import { newSessionId } from "../../sessions/new-session-id.ts";
import type { Session } from "../../sessions/session.ts";
import type { SideRequest } from "../../sessions/side-reader.ts";
import type { WritableProject } from "../../workspace/open-project.ts";
import type { CommandContext } from "../command-context.ts";

/** What is to be merged. */
export interface MergeJob {
  readonly target: Session;
  /** One after the other. */
  readonly sources: readonly SideRequest[];
  /** A fork of the target receives instead, under this title. */
  readonly title: string | undefined;
  readonly dryRun: boolean;
}

/** What became of it. */
export interface MergeAnswer {
  /** The session that received; null where it would be made only then. */
  readonly session: Session | null;
  readonly parts: readonly (MergePlan & Partial<Pick<Merged, "begin">>)[];
}

const program = "carryon merge";

/** Merges sessions one after the other into one, or says what that would do. */
export async function mergeHere(
  context: CommandContext,
  here: WritableProject,
  { target, sources, title, dryRun }: MergeJob,
): Promise<MergeAnswer> {
  const { log } = here.store;
  const now = context.clock.now();
  const decisions = await readDatedDecisions(log, [target, ...sources.map(({ session }) => session)]);
  const request = { now, program, decisions, isNamed: title !== undefined };
  const plans: MergePlan[] = [];
  for (const source of sources) plans.push(await planMerge(log, { ...request, target, source }));
  const isNothing = plans.every(({ block }) => block.length === 0);
  if (isNothing) return { session: target, parts: plans };
  if (dryRun) return { session: title === undefined ? target : null, parts: plans };
  const receiver = title === undefined ? target : await forkFor(context, here, target, title);
  if (receiver === target) await requireQuiet(target, await clientFolders(context, here));
  const parts: Merged[] = [];
  for (const source of sources) {
    // What came before has changed it.
    const current = await findAgain(here, receiver);
    parts.push(await mergeSessions(here.store, { ...request, target: current, source }));
  }
  return { session: receiver, parts };
}

async function forkFor(
  context: CommandContext,
  { store, branch }: WritableProject,
  from: Session,
  title: string,
): Promise<Session> {
  const startedAt = context.clock.now();
  const { cwd, machine } = context;
  const id = newSessionId(context, startedAt, title);
  return store.log.fork({ id, from: from.id, title, cwd, branch, machine, startedAt });
}

async function clientFolders(context: CommandContext, { home }: WritableProject): Promise<readonly string[]> {
  return readClientFolders(home, locateClient(context.userHome, context.env.CLAUDE_CONFIG_DIR));
}

async function findAgain({ store }: WritableProject, { id }: Session): Promise<Session> {
  const [session] = (await store.log.list({ id })).sessions;
  if (session === undefined) throw new SessionNotFound(id);
  return session;
}
