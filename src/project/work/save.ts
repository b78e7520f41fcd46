import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { fold } from "../../lib/markdown/fold.ts";
import { hideSecrets } from "../../lib/redaction/hide-secrets.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import type { Blocker } from "../../work/blockers/blocker.ts";
import { askGit } from "../../work/git.ts";
import { readSubject } from "../../work/git-history.ts";
import { describePath } from "../../work/git-path.ts";
import { commitWork, type SavedWork } from "../../work/save/commit-work.ts";
import { isOnRemote, type PushOutcome, type PushTarget, pushBranch } from "../../work/save/push.ts";
import { renderWorkState } from "../../work/state/render-work-state.ts";
import { prepareState, setAside } from "../../work/state/state-store.ts";
import type { SavedFile, SaveMode, WorkState } from "../../work/state/work-state.ts";
import { changeStatusOf } from "../../work/tasks/change-status.ts";
import { type BlockerFacts, findBlocker } from "./find-blocker.ts";
import { type FoundTasks, findTasks, type TaskRequest } from "./find-tasks.ts";
import { followBlocker } from "./follow-blocker.ts";
import { mayTakeOver } from "./foreign-state.ts";
import { keepStateOut } from "./keep-state-out.ts";
import type { Checked } from "./verify.ts";
import { repositoryOf, type WorkDesk } from "./work-desk.ts";
import { WorkRecord } from "./work-record.ts";
import { writeState } from "./write-state.ts";

/** How the work is to be saved. */
export interface SaveRequest extends TaskRequest {
  readonly mode: SaveMode;
  readonly workingOn?: string | undefined;
  readonly next?: readonly string[] | undefined;
  /** Whether the work tree is committed. */
  readonly commit: boolean;
  /** Is asked before anything goes to the branch that everybody works from. */
  readonly mayPushToDefault: (target: PushTarget) => Promise<boolean>;
  /** Ends a check that runs; the work is saved all the same. */
  readonly signal?: AbortSignal | undefined;
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
  /** Where the file went that could not be read as a state. */
  readonly aside: string | undefined;
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
  await refuseGitFolder(desk);
  const warnings = await keepStateOut(desk);
  const { before, foreign } = await readBefore(desk);
  const tasks = await findTasks(desk, request, before);
  const repository = await repositoryOf(desk);
  const lastSubject = repository && (await readSubject(site.root));
  const workingOn = chooseWorkingOn({ request, tasks, before, lastSubject });
  const work =
    repository && (await commitWork(repository, request.commit ? toMessage(workingOn) : undefined));
  const facts: BlockerFacts = { before, conflicts: work?.conflicts ?? [], lastSubject };
  const blocker = await findBlocker(desk, facts);
  const isPushed = repository !== undefined && (await isOnRemote(repository));
  const session = await findSession(desk);
  const base = { request, tasks, work, workingOn, session, savedAt: site.clock.now() };
  const aside = foreign ? await setAside(site.root, site.clock.now()) : undefined;
  // Before anything that may take long: whoever stops it now has lost nothing.
  const first = await writeState(desk, before, async (latest) => {
    // Another save, or a person, may have changed the tasks while a hook ran.
    const now = isSame(latest, before) ? tasks : await findTasks(desk, request, latest);
    return toState({ ...base, tasks: now, blocker, isPushed });
  });
  const push =
    repository === undefined || request.mode === "quick"
      ? undefined
      : await pushBranch(repository, { branch: null, head: undefined, ...work, ...request });
  const branch = work?.branch ?? null;
  const checks =
    request.mode === "full"
      ? await (await import("./verify.ts")).verifyWork(desk, { ...tasks, branch, signal: request.signal })
      : undefined;
  const known =
    checks === undefined ? first.state.blocker : await findBlocker(desk, { ...facts, before: first.state });
  const { state } = await writeState(desk, first.state, async (latest) => {
    const saved = latest ?? first.state;
    return followBlocker(desk, { ...saved, blocker: known, isPushed: isPushed || push?.type === "pushed" });
  });
  await new WorkRecord(site).keep(state);
  return { state, tasks, work, push, checks, aside: aside ?? first.aside, warnings };
}

function isSame(one: WorkState | undefined, other: WorkState | undefined): boolean {
  const render = (state: WorkState | undefined) => (state === undefined ? "" : renderWorkState(state));
  return render(one) === render(other);
}

/** A bare repository and the folder of git itself look like no repository, and nothing of ours belongs into them. */
async function refuseGitFolder({ git, site }: WorkDesk): Promise<void> {
  if (git !== undefined) return;
  const { code } = await askGit(site.root, ["rev-parse", "--git-dir"]);
  if (code !== 0) return refuseUnreadable(site.root);
  throw new AppError("This folder belongs to git, and has no work to save.", {
    kind: "usage",
    code: "no-work-tree",
    hint: "Go to a work tree of the repository.",
  });
}

/** A repository that git does not read, because it is another's or damaged, is not "no repository". */
async function refuseUnreadable(root: string): Promise<void> {
  for (let folder = root; ; folder = dirname(folder)) {
    if ((await unlessGone(lstat(join(folder, ".git")))) !== undefined) throw unreadable(folder);
    if (folder === dirname(folder)) return;
  }
}

function unreadable(folder: string): AppError {
  return new AppError(`Git cannot read the repository of ${folder}, so that nothing was saved.`, {
    kind: "io",
    code: "git-failed",
    hint: "See what `git status` says there.",
  });
}

interface Before {
  readonly before: WorkState | undefined;
  /** Whether the file has what somebody else wrote. */
  readonly foreign: boolean;
}

/** Returns what was saved last. Where the file is gone, broken or of somebody else, the log still has it. */
async function readBefore(desk: WorkDesk): Promise<Before> {
  const found = await prepareState(desk.site.root);
  if (found.type === "state" && (await mayTakeOver(desk, found.state)))
    return { before: found.state, foreign: false };
  const before = await new WorkRecord(desk.site).newest();
  return { before, foreign: found.type === "state" };
}

interface Wording {
  readonly request: Pick<SaveRequest, "workingOn">;
  readonly tasks: FoundTasks;
  readonly before: WorkState | undefined;
  readonly lastSubject: string | undefined;
}

function chooseWorkingOn({ request, tasks, before, lastSubject }: Wording): string {
  const candidates = [request.workingOn, tasks.tasks.next, before?.workingOn, unwrap(lastSubject)];
  const words = candidates.map((each) => fold(each ?? "")).find((each) => each !== "");
  return words ?? "work in progress";
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

async function findSession({ site: { log, project } }: WorkDesk): Promise<string | null> {
  const [newest] = (await log.list({ project: project.id, limit: 1 })).sessions;
  return newest?.id ?? null;
}

interface Saved {
  readonly request: SaveRequest;
  readonly tasks: FoundTasks;
  readonly work: SavedWork | undefined;
  readonly workingOn: string;
  readonly session: string | null;
  readonly savedAt: Date;
  readonly blocker: Blocker | null;
  readonly isPushed: boolean;
}

function toState(saved: Saved): WorkState {
  const { request, tasks: found, work, workingOn, session, savedAt, blocker, isPushed } = saved;
  const { tasks, change } = found;
  const following = tasks.next === undefined ? tasks.pending : from(tasks.pending, tasks.next);
  return {
    ...{ mode: request.mode, savedAt, workingOn, session, blocker, isPushed },
    branch: work?.branch ?? null,
    commit: work?.head?.slice(0, abbreviated) ?? null,
    change: change?.id ?? null,
    changeStatus: change === undefined ? null : changeStatusOf(change, { isBlocked: blocker !== null }),
    nextSteps: request.next ?? following.slice(0, 3),
    completed: tasks.completed,
    pending: tasks.pending,
    blockerResolvedAt: null,
    modifiedFiles: work === undefined ? [] : listFiles(work),
  };
}

function from(texts: readonly string[], first: string): readonly string[] {
  return texts.slice(Math.max(0, texts.indexOf(first)));
}

function listFiles({ taken, leftOut }: SavedWork): readonly SavedFile[] {
  const files = [
    ...leftOut.map(({ path, sha256, reason }) => ({ path, sha256, leftOut: reason })),
    ...taken.map(({ path, sha256 }) => ({ path, sha256 })),
  ];
  return files.slice(0, mostFiles).map(({ path, ...rest }) => ({ path: describePath(path), ...rest }));
}
