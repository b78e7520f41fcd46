import { describeExposed } from "../git/describe-exposed.ts";
import { excludeFromCommits, lockPattern } from "../git/exclude-list.ts";
import { describePath } from "../git/git-path.ts";
import { isIgnored } from "../git/kept-out.ts";
import { isOnRemote, type PushOutcome, type PushTarget, pushBranch } from "../git/push.ts";
import type { Repository } from "../git/repository.ts";
import { AppError } from "../lib/app-error.ts";
import { fold } from "../lib/markdown/fold.ts";
import { resolveInside } from "../lib/resolve-inside.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import type { Session } from "../sessions/session.ts";
import type { Blocker } from "./blocker.ts";
import { type BlockerFacts, findBlocker } from "./blockers/find-blocker.ts";
import { followBlocker } from "./blockers/follow-blocker.ts";
import { commitWork, findRefusedCommit, refuseGitFolder, type SavedWork, toPush } from "./commit-work.ts";
import { chooseSteps, type FoundTasks, findTasks, type TaskRequest } from "./find-tasks.ts";
import { renderWorkState, toWireBlocker } from "./render-work-state.ts";
import {
  type AsideState,
  type ChangedState,
  changeState,
  type FoundState,
  prepareState,
} from "./state-store.ts";
import { changeStatusOf } from "./tasks/change-status.ts";
import type { Checked } from "./verify.ts";
import { repositoryOf, type WorkDesk } from "./work-desk.ts";
import { mayTakeOver, type WorkNotes, WorkRecord } from "./work-record.ts";
import { type SavedFile, type SaveMode, statePatterns, unnamedWork, type WorkState } from "./work-state.ts";

/** How the work is to be saved. */
export interface SaveRequest extends TaskRequest {
  readonly mode: SaveMode;
  readonly workingOn?: string | undefined;
  readonly next?: readonly string[] | undefined;
  /** Whether the work tree is committed. */
  readonly commit: boolean;
  /** Is asked before anything goes to the branch that everybody works from. */
  readonly mayPushToDefault: (target: PushTarget) => Promise<boolean>;
  /** Ends a commit, a push or a check that runs; after the commit the work is saved all the same. */
  readonly signal?: AbortSignal | undefined;
  /** Is told why the save waits. */
  readonly say?: Repository["say"];
}

/** What a save did. */
export interface SaveReport {
  readonly state: WorkState;
  readonly tasks: FoundTasks;
  /** Undefined outside git. */
  readonly work: SavedWork | undefined;
  /** Undefined where nobody asked for a push. */
  readonly push: PushOutcome | undefined;
  /** Undefined unless everything was to be verified. */
  readonly checks: readonly Checked[] | undefined;
  readonly aside: AsideState | undefined;
  /** What went wrong after the work was saved; undefined where nothing did. */
  readonly failure?: unknown;
  readonly warnings: readonly string[];
}

/** More files are not worth their place: the commit has them. */
const mostFiles = 1000;
const longestSubject = 160;
/** Enough to tell commits apart, as git shows them. */
const abbreviated = 12;

/** Saves where the work stands: a commit, a push, a verification, and the state. */
export async function saveWork(desk: WorkDesk, request: SaveRequest): Promise<SaveReport> {
  const { site } = desk;
  const askedAt = site.clock.now();
  await refuseGitFolder({ git: desk.git, root: site.root });
  const warnings = await keepStateOut(desk);
  const before = await readBefore(desk);
  const newest = await findNewest(desk);
  const tasks = await findTasks(desk, request, before, newest);
  const said = { request, tasks, before };
  const repository = await repositoryOf(desk, request);
  const work =
    repository &&
    (await commitWork(repository, (lastSubject) =>
      request.commit ? toMessage(chooseWorkingOn(said, lastSubject)) : undefined,
    ));
  const isPushed = repository !== undefined && (await isOnRemote(repository, work?.branch ?? null));
  const lastSubject = work?.lastSubject;
  const workingOn = chooseWorkingOn(said, lastSubject);
  if (before?.blocker?.type === "ci_failure" && request.mode !== "full")
    await (await loadChecks()).checkCi(desk, { branch: work?.branch ?? null, signal: request.signal });
  const facts: BlockerFacts = { before, conflicts: work?.conflicts ?? [], lastSubject };
  const blocker = await findBlocker(desk, facts);
  const session = newest?.id ?? null;
  const base = { request, tasks, work, workingOn, session, savedAt: site.clock.now() };
  // Before anything that may take long: whoever stops it now has lost nothing.
  const first = await writeState(
    desk,
    before,
    async (latest) => {
      // Another save, or a person, may have changed the tasks while a hook ran.
      const now = isSameState(latest, before) ? tasks : await findTasks(desk, request, latest);
      return toState(site.root, { ...base, tasks: now, before: latest, blocker, isPushed });
    },
    tasks.source === "flags" ? { tasksToldAt: askedAt } : {},
  );
  const quick = { push: undefined, checks: undefined, state: first.state };
  const further =
    request.mode === "quick"
      ? quick
      : await goFurther(desk, first.state, { ...base, repository, facts, isPushed });
  return { ...further, tasks, work, aside: first.aside, warnings };
}

interface Further extends Pick<Saved, "request" | "tasks" | "work" | "isPushed"> {
  readonly repository: Repository | undefined;
  readonly facts: BlockerFacts;
}

type Came = Pick<SaveReport, "push" | "checks" | "state" | "failure">;

/** Pushes and verifies what was saved, and writes down what came of it. What goes wrong is told, for the work is saved. */
async function goFurther(desk: WorkDesk, saved: WorkState, further: Further): Promise<Came> {
  const { request, tasks, work, repository, facts, isPushed } = further;
  let came: Came = { push: undefined, checks: undefined, state: saved };
  try {
    const target = { ...toPush(work, work?.outcome), ...request };
    came = { ...came, push: repository ? await pushBranch(repository, target) : { type: "no-repository" } };
    const verified = { ...tasks, branch: work?.branch ?? null, signal: request.signal };
    if (request.mode === "full")
      came = { ...came, checks: await (await loadChecks()).verifyWork(desk, verified) };
  } catch (failure) {
    came = { ...came, failure };
  }
  const { push, checks } = came;
  const blocker = checks === undefined ? saved.blocker : await findBlocker(desk, { ...facts, before: saved });
  if (checks === undefined && push?.type !== "pushed") return came;
  const { state } = await writeState(desk, saved, (latest = saved) =>
    followBlocker(desk, { ...latest, blocker, isPushed: isPushed || push?.type === "pushed" }),
  );
  return { ...came, state };
}

/** Loaded here, so that a checkpoint does not pay for it. */
const loadChecks = () => import("./verify.ts");

/** Returns what was saved last. Where the file is gone, broken or of somebody else, the log still has it. */
async function readBefore(desk: WorkDesk): Promise<WorkState | undefined> {
  const found = await prepareState(desk.site.root);
  if (found.type === "state" && (await mayTakeOver(desk, found.state))) return found.state;
  return new WorkRecord(desk.site).newest();
}

/** Returns what is being done, with the subject of the last commit where nobody has said anything. */
function chooseWorkingOn(
  { request, tasks, before }: Pick<Saved, "request" | "tasks" | "before">,
  lastSubject: string | undefined,
): string {
  const candidates = [request.workingOn, tasks.tasks.next, before?.workingOn, unwrap(lastSubject)];
  return candidates.map((each) => fold(each ?? "")).find((each) => each !== "") ?? unnamedWork;
}

/** A checkpoint says what was worked on in the subject of its commit. */
function unwrap(subject: string | undefined): string | undefined {
  return /^WIP: (.*) - checkpoint$/.exec(subject ?? "")?.[1] ?? subject;
}

/** Returns the message of a checkpoint. */
export function toMessage(workingOn: string): string {
  const characters = [...hideSecrets(workingOn)];
  const subject =
    characters.length <= longestSubject
      ? characters.join("")
      : `${characters.slice(0, longestSubject - 1).join("")}…`;
  return `WIP: ${subject} - checkpoint\n`;
}

async function findNewest({ site: { log, project } }: WorkDesk): Promise<Session | null> {
  const [newest] = (await log.list({ project: project.id, newest: "here", limit: 1 })).sessions;
  return newest ?? null;
}

interface Saved {
  readonly request: SaveRequest;
  readonly before: WorkState | undefined;
  readonly tasks: FoundTasks;
  readonly work: SavedWork | undefined;
  readonly workingOn: string;
  readonly session: string | null;
  readonly savedAt: Date;
  readonly blocker: Blocker | null;
  readonly isPushed: boolean;
}

async function toState(root: string, saved: Saved): Promise<WorkState> {
  const { request, before, tasks: found, work, workingOn, session, savedAt, blocker, isPushed } = saved;
  const { tasks } = found;
  const refusedCommit = findRefusedCommit(work, before);
  return {
    ...(refusedCommit !== undefined && { refusedCommit }),
    ...{ mode: request.mode, savedAt, workingOn, session, blocker, isPushed },
    branch: work?.branch ?? null,
    commit: work?.head?.slice(0, abbreviated) ?? null,
    ...(await nameChange(root, found, saved)),
    nextSteps: request.next ?? chooseSteps(before, tasks),
    completed: tasks.completed,
    pending: tasks.pending,
    unlisted: tasks.unlisted,
    modifiedFiles: work === undefined ? [] : listFiles(work),
  };
}

/** Returns the change and its status: those that an author wrote by hand where the project has no folder of OpenSpec. */
async function nameChange(
  root: string,
  { change: found }: FoundTasks,
  saved: Pick<Saved, "before" | "blocker">,
) {
  const { change = null, changeStatus = null } = saved.before ?? {};
  if (found !== undefined) {
    const before = change === found.id ? changeStatus : null;
    return {
      change: found.id,
      changeStatus: changeStatusOf(found, { isBlocked: saved.blocker !== null, before }),
    };
  }
  const isKept = change !== null && (await resolveInside(root, "openspec")) === undefined;
  return isKept ? { change, changeStatus } : { change: null, changeStatus: null };
}

function listFiles({ taken, leftOut }: SavedWork): readonly SavedFile[] {
  // A submodule can be both: taken, with changes inside that are not.
  const left = new Set(leftOut.map(({ path }) => path));
  const files = [
    ...leftOut.map(({ path, sha256, reason }) => ({ path, sha256, leftOut: reason })),
    ...taken.filter(({ path }) => !left.has(path)).map(({ path, sha256 }) => ({ path, sha256 })),
  ];
  return files.slice(0, mostFiles).map(({ path, ...rest }) => ({ path: describePath(path), ...rest }));
}

/**
 * Writes a state, in the log and then in its file, that is made of what is there at that moment; `known` is what was
 * read before.
 *
 * A blocker that somebody has put down, or resolved, meanwhile stays so.
 */
function writeState(
  desk: WorkDesk,
  known: WorkState | undefined,
  make: (latest: WorkState | undefined) => Promise<WorkState>,
  notes: WorkNotes = {},
): Promise<ChangedState> {
  const { site } = desk;
  const change = async (found: FoundState): Promise<WorkState> => {
    const state = await make(found.type === "state" ? found.state : known);
    if (found.type !== "state") return state;
    const { blocker } = found.state;
    const isOurs = describe(blocker) === describe(known?.blocker ?? null);
    return isOurs ? state : followBlocker(desk, { ...state, blocker });
  };
  const keep = (state: WorkState, replaced: WorkState | undefined) =>
    new WorkRecord(site).keepReplacing(replaced, state, notes);
  // What was read before has been judged, or is from the log.
  const isForeign = async (state: WorkState) =>
    !isSameState(state, known) && !(await mayTakeOver(desk, state));
  return changeState(site.root, site.clock.now(), change, { keep, isForeign });
}

/** Tells whether two states say the same, also where there is none. */
function isSameState(one: WorkState | undefined, other: WorkState | undefined): boolean {
  const render = (state: WorkState | undefined) => (state === undefined ? "" : renderWorkState(state));
  return render(one) === render(other);
}

/** In one form, whether it was read or made. */
function describe(blocker: Blocker | null): string {
  return JSON.stringify(blocker && toWireBlocker(blocker));
}

/** Keeps the state out of commits; returns what is to be said where that is not possible. */
async function keepStateOut({ git, site }: WorkDesk): Promise<readonly string[]> {
  if (git === undefined) return [];
  try {
    await excludeFromCommits(git, [...statePatterns, lockPattern]);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [line = ""] = statePatterns;
    return (await isIgnored(site.root, line.slice(1))) ? [] : [describeExposed(line.slice(1), line, error)];
  }
}
