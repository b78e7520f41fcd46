import { clientNamed, clientNames } from "../clients/registry.ts";
import { readDatedDecisions } from "../handover/dated-decisions.ts";
import { conflictError, usageError } from "../lib/app-error.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import { mainStrand } from "../sessions/ids.ts";
import { type Merged, type MergePlan, mergeSessions, planMerge } from "../sessions/merge-sessions.ts";
import type { Session } from "../sessions/session.ts";
import { newSessionId, parseTitle } from "../sessions/session-events.ts";
import { readPaths } from "../sessions/session-paths.ts";
import type { SideRequest } from "../sessions/side-reader.ts";
import { describeSidePath, findSide } from "../workspace/find-sides.ts";
import { findHere, writeHere } from "../workspace/open-here.ts";
import type { OpenProject, WritableProject } from "../workspace/open-project.ts";
import type { Caller } from "../workspace/workspace.ts";
import { catchUp } from "./catch-up.ts";
import { findProcess, listFolders, listNativeIds } from "./plan-native.ts";

/** What is merged, and into what, as a person names it. */
export interface MergeRequest {
  readonly id: string;
  readonly other?: string | undefined;
  readonly into?: string | undefined;
  /** A fork of the session that receives is made for it, under this title. */
  readonly title?: string | undefined;
  /** Joins the side path of the session to the path of its last entry. */
  readonly paths?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/** What became of it. */
export interface MergeAnswer {
  /** The session that received; null where it would be made only then. */
  readonly session: Session | null;
  readonly parts: readonly (MergePlan & Partial<Pick<Merged, "begin">>)[];
}

const program = "carryon merge";

/** Merges sessions into one, or says what that would do. */
export async function merge(context: Caller, request: MergeRequest): Promise<MergeAnswer> {
  await catchUp(context);
  const title = request.title === undefined ? undefined : parseTitle(request.title);
  return writeHere(context, async (here) => {
    const chosen = await chooseSources(context, here, request);
    return mergeChosen(context, here, chosen, { title, dryRun: request.dryRun === true });
  });
}

/** The session that receives, and what it receives, one after the other. */
interface Chosen {
  readonly target: Session;
  readonly sources: readonly SideRequest[];
}

/** Finds the session that receives, and what it receives. */
async function chooseSources(
  context: Caller,
  here: OpenProject,
  { id, other, into, paths }: MergeRequest,
): Promise<Chosen> {
  const first = await findHere(context, here, id);
  const sources = paths ? await listSidePath(here, first) : [await findOther(context, here, first, other)];
  if (into === undefined) return { target: first, sources };
  const target = await findHere(context, here, into);
  const isOther = ({ session, end }: SideRequest) => session.id !== target.id || end !== undefined;
  return { target, sources: [{ session: first }, ...sources].filter(isOther) };
}

async function findOther(
  context: Caller,
  here: OpenProject,
  { id }: Session,
  other: string | undefined,
): Promise<SideRequest> {
  if (other === undefined) {
    throw usageError("no-other-side", "Two sessions are needed for a merge.", {
      hint: `Name a second one, or join a side path of it with \`carryon merge ${id} --paths\``,
    });
  }
  const side = await findSide(context, here, other);
  if (side.strand === undefined) return side;
  throw usageError(
    "strand-alone",
    "A strand cannot be merged alone: its entries refer to those of the others.",
    { hint: `Merge the whole session: \`carryon merge ${id} ${side.session.id}\`` },
  );
}

/** Returns the only side path of a session, if it has one; of several, a person has to choose. */
async function listSidePath({ store }: OpenProject, session: Session): Promise<readonly SideRequest[]> {
  const sides = (await readPaths(store.log, session, mainStrand)).sidePaths();
  if (sides.length <= 1) return sides.map(({ end }) => ({ session, end }));
  const list = sides.map((each) => `  ${describeSidePath(session, each)}`);
  throw usageError("several-side-paths", `Session ${session.id} has ${sides.length} side paths.`, {
    hint: `Name the one that is meant, as in \`carryon merge ${session.id} ${session.id}@N\`:\n${list.join("\n")}`,
  });
}

/** Merges sessions one after the other into one, or says what that would do. */
async function mergeChosen(
  context: Caller,
  here: WritableProject,
  { target, sources }: Chosen,
  { title, dryRun }: { readonly title: string | undefined; readonly dryRun: boolean },
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
  if (receiver === target) await requireQuiet(context, here, target);
  const parts: Merged[] = [];
  for (const source of sources) {
    // What came before has changed it.
    const current = await findAgain(here, receiver);
    parts.push(await mergeSessions(here.store, { ...request, target: current, source }));
  }
  return { session: receiver, parts };
}

async function forkFor(
  context: Caller,
  { store, branch }: WritableProject,
  from: Session,
  title: string,
): Promise<Session> {
  const startedAt = context.clock.now();
  const { cwd, machine } = context;
  const id = newSessionId(context, startedAt, title);
  return store.log.fork({ id, from: from.id, title, cwd, branch, machine, startedAt });
}

async function findAgain({ store }: WritableProject, { id }: Session): Promise<Session> {
  const [session] = (await store.log.list({ id })).sessions;
  if (session === undefined) throw new SessionNotFound(id);
  return session;
}

/** Throws where a client is in a session at this moment, as far as its own lists tell. */
async function requireQuiet(context: Caller, { store }: WritableProject, session: Session): Promise<void> {
  for (const client of clientNames().flatMap((name) => clientNamed(name) ?? [])) {
    const ids = await listNativeIds(store.ingestion, client, session);
    const holder =
      ids.length === 0 ? undefined : await findProcess(client, await listFolders(context, client), ids);
    if (holder === undefined) continue;
    const how = holder.liveness === "alive" ? "is" : "may be";
    throw conflictError(
      "session-live",
      `Session ${session.id} ${how} open in ${client.title}, process ${holder.pid}, which would go on without what is merged into it.`,
      {
        hint: "Close it there first, or merge into a fork of it: say how that is to be called with `--title`.",
      },
    );
  }
}
