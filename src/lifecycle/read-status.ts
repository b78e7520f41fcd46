import { lstat } from "node:fs/promises";
import { relative } from "node:path";
import { openDigests, type ReadDigests } from "../digest/read-digests.ts";
import { readGatesBeside } from "../gates/gates-beside.ts";
import type { GateStatus } from "../gates/inspect-gate-files.ts";
import { readLastCommit } from "../git/git-history.ts";
import type { DocumentName } from "../handover/document-record.ts";
import { locateHandover } from "../handover/handover-folder.ts";
import { findWaitingHere } from "../handover/wait-for-trust.ts";
import { isSetUp } from "../install/locate-settings.ts";
import { AppError, unlessFailed, unlessGone } from "../lib/app-error.ts";
import { readStandingWork } from "../memory/earlier-work.ts";
import { listOpen, type Workstream } from "../memory/workstreams.ts";
import type { NotRecorded } from "../recording/not-recorded.ts";
import { whyNotRecorded } from "../recording/privacy.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { ProjectId } from "../sessions/project.ts";
import type { Session } from "../sessions/session.ts";
import { readTableIds, type ShortId, type TableView } from "../sessions/short-ids.ts";
import { type Deletion, listUnnamed } from "../share/deletions.ts";
import { type RemoteStatus, readRemoteStatus } from "../share/remote-status.ts";
import type { Blocker } from "../work/blocker.ts";
import { readBlocker } from "../work/change-blocker.ts";
import { chooseNext, findSavedTasks, readSavedChange } from "../work/find-tasks.ts";
import { readState } from "../work/state-store.ts";
import type { Tasks } from "../work/tasks.ts";
import { openWorkDesk } from "../work/work-desk.ts";
import { readWorkInHand } from "../work/work-in-hand.ts";
import { isOwnState } from "../work/work-record.ts";
import type { WorkState } from "../work/work-state.ts";
import { chooseHandoverPlace } from "../workspace/choose-handover-place.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { isNoStore, readHere, storeOf } from "../workspace/open-here.ts";
import { locatePlace } from "../workspace/recognise-project.ts";
import { type Caller, sessionOf, type Workspace } from "../workspace/workspace.ts";

/** Where the work stands, as far as files and git tell. */
export interface WorkStatus {
  readonly commit: { readonly id: string; readonly subject: string } | undefined;
  /** Undefined where nothing was saved, or it cannot be read. */
  readonly state: WorkState | undefined;
  /** The work that it was saved in the middle of; undefined where nobody has described it. */
  readonly inHand: string | undefined;
  /** What stops the work now: what was saved, unless what was recorded since says otherwise. */
  readonly blocker: Blocker | null;
  /** Whether the state was written by this user here; what somebody else wrote is no instruction. */
  readonly isOwn: boolean;
  /** What comes next, as the tasks say now. */
  readonly next: string | undefined;
  /** What is wrong with the state. */
  readonly problem: string | undefined;
  readonly handover: { readonly path: string; readonly at: Date } | undefined;
  readonly now: Date;
}

/** What the log knows of the work. */
interface RecordedWork extends Pick<WorkStatus, "blocker" | "isOwn"> {
  /** The tasks of the saved work as they are now; undefined where nothing was saved, or they cannot be read. */
  readonly tasks: Tasks | undefined;
}

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
  /** Work of this project that is not done, the newest first; the session that asks is not among it. */
  readonly workstreams: readonly Workstream[];
  /** How their ids are printed. */
  readonly shortId: ShortId;
  /** Whether the store has sessions of other projects. */
  readonly hasOthers: boolean;
  /** Whether Claude Code is recorded here. */
  readonly isSetUp: boolean;
  /** Why nothing is recorded here and now; undefined where it is. */
  readonly notRecorded?: NotRecorded | undefined;
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
const shownWorkstreams = 5;

/** Finds out where the user is and what happened here last. */
export async function readStatus(context: Caller & TableView): Promise<Status> {
  const { recorded, ...status } = await lookAround(context);
  const { root } = status;
  const { cwd, clock } = context;
  const home = locateHome(context.env, context.userHome);
  const [setUp, work] = [await isSetUp(context, root), await readWorkStatus(context, root, recorded)];
  return {
    ...status,
    isSetUp: setUp,
    work,
    remote: await readRemoteStatus(home),
    notRecorded: await whyNotRecorded(home, { folder: cwd, session: sessionOf(context), now: clock.now() }),
  };
}

type Surroundings = Omit<Status, "isSetUp" | "work" | "remote" | "notRecorded"> & {
  readonly recorded?: RecordedWork | undefined;
};

async function lookAround(context: Caller & TableView): Promise<Surroundings> {
  try {
    return await readHere(context, async (here) => {
      const { name, root, branch, git, project, store, home } = here;
      const digests = openDigests(store);
      const workspace = project && { ...here, project, digests };
      const gates = await readGatesBeside(context, { root, branch, git, project });
      const page = { limit: shownSessions, now: context.clock.now() };
      const sessions =
        project === undefined ? [] : (await store.log.list({ project: project.id, ...page })).sessions;
      const elsewhere = await listElsewhere(store.log, project?.id);
      const earlier = await readStandingWork({ ...here, digests }, { except: sessionOf(context) });
      const workstreams = listOpen(earlier).slice(0, shownWorkstreams);
      const hasOthers = sessions.length === 0 && (await store.log.list({ limit: 1 })).sessions.length > 0;
      const shortId = await readTableIds(context, store.log, sessions);
      const recorded = workspace && (await readRecordedWork(workspace));
      const known = { name, root, branch, store: { path: store.path, exists: true } };
      const waiting = workspace === undefined ? [] : await findWaitingHere(workspace);
      const deletions = await listUnnamed(home, store.log);
      const listed = { sessions, elsewhere, workstreams, shortId, hasOthers };
      return { ...known, ...listed, gates, recorded, waiting, deletions };
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
      workstreams: [],
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

/** Reads what the log knows of the work. What is wrong with the state is said with it. */
async function readRecordedWork(
  here: Workspace & { readonly digests: ReadDigests },
): Promise<RecordedWork | undefined> {
  try {
    const desk = await openWorkDesk(here);
    const { state } = await readSaved(here.root);
    const isOwn = state === undefined || (await isOwnState(desk, state));
    const tasks = state && (await unlessFailed(findSavedTasks(desk, state), undefined))?.tasks;
    return { blocker: await readBlocker(desk), isOwn, tasks };
  } catch (error) {
    // What is wrong with the configuration, the commands say that need it.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Finds out where the work stands. What cannot be read is said, and hides nothing else. */
async function readWorkStatus(
  context: Caller,
  root: string,
  recorded: RecordedWork | undefined,
): Promise<WorkStatus> {
  const { state, problem } = await readSaved(root);
  // Of what the log does not know, nobody can say whose it is.
  const { tasks, ...known } = recorded ?? {
    ...{ blocker: null, isOwn: state === undefined },
    tasks: state && (await unlessFailed(readSavedChange(root, state), undefined))?.tasks,
  };
  return {
    commit: await readLastCommit(root),
    ...withTasks(state, tasks),
    inHand: state && (await readWorkInHand(root, state)),
    ...known,
    problem,
    handover: await findHandover(context, root),
    now: context.clock.now(),
  };
}

async function readSaved(root: string): Promise<Pick<WorkStatus, "state" | "problem">> {
  try {
    const found = await readState(root);
    if (found.type === "state") return { state: found.state, problem: undefined };
    const problem =
      found.type === "none" ? undefined : "session-state.json cannot be read; see `carryon load`";
    return { state: undefined, problem };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { state: undefined, problem: error.message };
  }
}

/** Tasks may have been checked since the work was saved. */
function withTasks(
  state: WorkState | undefined,
  tasks: Tasks | undefined,
): Pick<WorkStatus, "state" | "next"> {
  if (state === undefined) return { state, next: undefined };
  if (tasks === undefined) return { state, next: state.nextSteps[0] ?? state.pending[0] };
  const { completed, pending, unlisted } = tasks;
  return { state: { ...state, completed, pending, unlisted }, next: chooseNext(state, tasks) };
}

async function findHandover({ env, userHome }: Caller, root: string): Promise<WorkStatus["handover"]> {
  try {
    const { session } = locateHandover(await chooseHandoverPlace({ home: locateHome(env, userHome), root }));
    const stats = await unlessGone(lstat(session));
    return stats === undefined ? undefined : { path: relative(root, session), at: stats.mtime };
  } catch (error) {
    // What is wrong with the configuration, the commands say that need it.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
