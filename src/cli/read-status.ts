import { readGatesBeside } from "../gates/gates-beside.ts";
import type { GateStatus } from "../gates/read-gate-status.ts";
import type { DocumentName } from "../handover/document-record.ts";
import { findWaitingHere } from "../handover/wait-for-trust.ts";
import { installedSince } from "../install/installed-since.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { ProjectId } from "../sessions/project.ts";
import type { Session } from "../sessions/session.ts";
import { type Deletion, listUnnamed } from "../share/deletions.ts";
import { type RemoteStatus, readRemoteStatus } from "../share/remote-status.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { isNoStore, readHere, storeOf } from "../workspace/open-here.ts";
import { locatePlace } from "../workspace/recognise-project.ts";
import type { CommandContext } from "./command-context.ts";
import { readTableIds, type ShortId } from "./short-ids.ts";
import { type RecordedWork, readRecordedWork, readWorkStatus, type WorkStatus } from "./work/work-status.ts";

/** What `carryon` alone tells. */
export interface Status {
  readonly name: string;
  readonly root: string;
  readonly branch: string | null;
  readonly store: { readonly path: string; readonly exists: boolean };
  /** The newest sessions of this project. */
  readonly sessions: readonly Session[];
  /** Those among them that were last worked in on another machine. */
  readonly elsewhere: ReadonlySet<string>;
  /** How their ids are printed. */
  readonly shortId: ShortId;
  /** Whether the store has sessions of other projects. */
  readonly hasOthers: boolean;
  /** Whether Claude Code is recorded here. */
  readonly isSetUp: boolean;
  readonly work: WorkStatus;
  /** The documents of others because of which nothing is drafted until the project is trusted. */
  readonly waiting: readonly DocumentName[];
  /** The store that projects are shared through, and how the last exchange went; undefined where there is none. */
  readonly remote?: RemoteStatus | undefined;
  /** Sessions that were deleted in one store and are kept in another, of which no person has heard yet. */
  readonly deletions: readonly Deletion[];
  /** Undefined where there are no gates. */
  readonly gates: GateStatus | undefined;
}

const shownSessions = 5;

/** Finds out where the user is and what happened here last. */
export async function readStatus(context: CommandContext): Promise<Status> {
  const { recorded, ...status } = await lookAround(context);
  const { root } = status;
  const [setUp, work] = [await isSetUp(context, root), await readWorkStatus(context, root, recorded)];
  return {
    ...status,
    isSetUp: setUp,
    work,
    remote: await readRemoteStatus(locateHome(context.env, context.userHome)),
  };
}

/** Tells whether Claude Code is recorded in a project; what is wrong with the list of installations, doctor says. */
export async function isSetUp({ env, userHome }: CommandContext, root: string): Promise<boolean> {
  const since = await installedSince(locateHome(env, userHome), root).catch(() => undefined);
  if (since !== undefined) return true;
  const [{ locateClient }, { findPlugin }] = await Promise.all([
    import("../clients/claude-code/locate-client.ts"),
    import("../install/find-plugin.ts"),
  ]);
  const client = locateClient(userHome, env.CLAUDE_CONFIG_DIR);
  return (await findPlugin({ client, root })).length > 0;
}

type Surroundings = Omit<Status, "isSetUp" | "work" | "remote"> & {
  readonly recorded?: RecordedWork | undefined;
};

async function lookAround(context: CommandContext): Promise<Surroundings> {
  try {
    return await readHere(context, async (here) => {
      const { name, root, branch, git, project, store, home } = here;
      const workspace = project && { ...here, project };
      const gates = await readGatesBeside(context, { root, branch, git, project });
      const page = { limit: shownSessions, now: context.clock.now() };
      const sessions =
        project === undefined ? [] : (await store.log.list({ project: project.id, ...page })).sessions;
      const elsewhere = await listElsewhere(store.log, project?.id);
      const hasOthers = sessions.length === 0 && (await store.log.list({ limit: 1 })).sessions.length > 0;
      const shortId = await readTableIds(context, store.log, sessions);
      const recorded = workspace && (await readRecordedWork(workspace));
      const known = { name, root, branch, store: { path: store.path, exists: true } };
      const waiting = workspace === undefined ? [] : await findWaitingHere(workspace);
      const deletions = await listUnnamed(home, store.log);
      return { ...known, sessions, elsewhere, shortId, hasOthers, gates, recorded, waiting, deletions };
    });
  } catch (error) {
    if (!isNoStore(error)) throw error;
    const place = await locatePlace(context.cwd);
    const { name, root, branch } = place;
    const gates = await readGatesBeside(context, place);
    const store = { path: (await storeOf(context)).path, exists: false };
    const none = {
      sessions: [],
      elsewhere: new Set<string>(),
      shortId: (id: string) => id,
      hasOthers: false,
    };
    return { name, root, branch, store, ...none, gates, waiting: [], deletions: [] };
  }
}

/** As many as are shown are enough: the newest come first here too. */
async function listElsewhere(
  log: ConversationLog,
  project: ProjectId | undefined,
): Promise<ReadonlySet<string>> {
  if (project === undefined) return new Set();
  const { sessions } = await log.list({ project, newest: "elsewhere", limit: shownSessions });
  return new Set(sessions.map(({ id }) => id));
}
