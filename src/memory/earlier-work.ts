import type { TreeNow } from "../digest/digest.ts";
import {
  findNextStep,
  listUncommitted as listUncommittedIn,
  type NextStep,
  overtakes,
  settle,
  type WorkStatus,
} from "../digest/judge-work.ts";
import { openDigests, type ReadDigests } from "../digest/read-digests.ts";
import { describeDigest } from "../digest/sections.ts";
import { listUncommitted } from "../git/git-changes.ts";
import type { GitFacts } from "../git/git-facts.ts";
import { readSubjects } from "../git/git-history.ts";
import { isHeadOnRemote } from "../git/list-branches.ts";
import { describeAge } from "../lib/duration.ts";
import type { Session } from "../sessions/session.ts";
import { readShortIds, type ShortId } from "../sessions/short-ids.ts";
import type { ReadOnlyWorkspace } from "../workspace/workspace.ts";
import { fitSections, type Shown } from "./fit-sections.ts";
import {
  chooseWorkstream,
  continueCommand,
  continueOrShow,
  groupSessions,
  judgeSession,
  listOpen,
  nameWork,
  type Workstream,
  weigh,
} from "./workstreams.ts";

/** How many of the newest sessions of a project, and of a branch, are looked at. */
const recent = 30;
/** How many other workstreams a brief names. */
const mostOthers = 4;

type Here = Pick<ReadOnlyWorkspace, "store" | "project" | "branch" | "clock"> & {
  /** Reads the digests; who reads them for something else too gives what reads each once. */
  readonly digests?: ReadDigests;
};
type HereWithGit = Here & Pick<ReadOnlyWorkspace, "git" | "root">;

/** What a brief says about the work of earlier sessions; made from their digests. */
export interface EarlierWork {
  readonly at: Date;
  /** What it is about, where it stands and since when, on one line; undefined where it has nothing to go on with. */
  readonly summary: string | undefined;
  /** The next step that the work itself calls for. */
  readonly next: string | undefined;
  /** Whether that comes before any failed check: an answer of the user's, or a request that was interrupted. */
  readonly isPending: boolean;
  /** The branch that it is on, if it is another one than that of now. */
  readonly branch: string | undefined;
  /** Tells what the work on this branch has made of a step since it was given. */
  readonly overtakes: (step: string, since: Date) => ReturnType<typeof overtakes>;
  /** Returns its text in at most so many tokens. */
  readonly textWithin: (room: number, count: (text: string) => number) => string;
  /** Other work that is not done, a line each; then in ever fewer lines, for want of room. */
  readonly others: readonly string[];
}

/** Returns the workstreams of a project that were last worked in on this machine, the newest first. */
export async function readWorkstreams(
  here: Here,
  { except }: { readonly except?: string | undefined } = {},
): Promise<readonly Workstream[]> {
  const { store, project, branch, clock, digests = openDigests(store) } = here;
  const { log } = store;
  if (project === undefined) return [];
  const query = { project: project.id, newest: "here", limit: recent, now: clock.now() } as const;
  const pages = await Promise.all([log.list(query), ...(branch ? [log.list({ ...query, branch })] : [])]);
  const sessions = new Map(pages.flatMap((page) => page.sessions).map((session) => [session.id, session]));
  const others = [...sessions.values()].filter(
    ({ id, clientSessionId }) => except === undefined || (id !== except && clientSessionId !== except),
  );
  return groupSessions(others, await digests(others));
}

/**
 * Returns the workstreams of a project as they stand with the files of now. A change that was not committed stays in the
 * folder when the branch is switched: where it is gone, it was committed by hand, or given up.
 */
export async function readStandingWork(
  here: HereWithGit,
  options?: Parameters<typeof readWorkstreams>[1],
): Promise<readonly Workstream[]> {
  const workstreams = await readWorkstreams(here, options);
  const { branch, git, root } = here;
  const isOnBranch = ({ newest }: Workstream) => newest.branch === branch;
  const isHere = (work: Workstream) => isOnBranch(work) || work.newest.cwd === root;
  const tree = git && (await readTree(git, workstreams.filter(isHere)));
  return tree === undefined
    ? workstreams
    : workstreams.map((work) => {
        if (!isHere(work)) return work;
        const known = isOnBranch(work) ? tree : { ...tree, isPushed: false };
        const digest = settle(work.digest, known);
        const status = judgeSession(work.newest, digest);
        return { ...work, digest, status, ...(isOnBranch(work) && { tree }) };
      });
}

/** Asks git once for all of them, and only what one of them depends on. */
async function readTree(git: GitFacts, work: readonly Workstream[]): Promise<TreeNow | undefined> {
  const changed = work.length === 0 ? undefined : await listUncommitted(git);
  if (changed === undefined) return undefined;
  const hasEdited = work.some(({ digest }) => listUncommittedIn(digest).length > 0);
  const isRefused = work.some(({ digest }) => digest.push?.refused !== undefined);
  const [subject = ""] = hasEdited ? await readSubjects(git.root, ["HEAD"], { most: 1 }) : [];
  return {
    changed,
    isCheckpoint: /^wip\b/i.test(subject),
    ...(isRefused && { isPushed: await isHeadOnRemote(git.root) }),
  };
}

/** Returns what a brief says about earlier sessions; undefined where there are none. */
export async function readEarlierWork(
  here: HereWithGit,
  { session }: { readonly session?: string | undefined } = {},
): Promise<EarlierWork | undefined> {
  const now = here.clock.now();
  const workstreams = await readStandingWork(here, { except: session });
  const main = chooseWorkstream(workstreams, here.branch, now);
  if (main === undefined) return undefined;
  const isHere = main.newest.branch === here.branch;
  const { newest, updatedAt, digest, tree } = main;
  const sections = describeDigest(digest, { tree, branch: newest.branch });
  const others = rankOthers(workstreams, main, now);
  const short = await readShortIds(
    here.store.log,
    [main, ...others].map((each) => each.newest.id),
  );
  const lead = describeLead(main, isHere, short);
  const next = findNextStep(digest);
  return {
    at: updatedAt,
    summary: main.isTrivial
      ? undefined
      : `"${nameWork(main, 70)}" (${describeStanding(main, now, here.branch)})`,
    next: describeNext(next, newest, short),
    isPending: next?.reason === "question" || next?.reason === "interrupted",
    branch: isHere ? undefined : (newest.branch ?? undefined),
    overtakes: (step, since) => {
      const found = workstreams
        .filter((each) => each.newest.branch === here.branch || each.newest.branch === null)
        .map(({ digest }) => overtakes(digest, step, since));
      return found.find((each) => each === "done") ?? found.find((each) => each !== undefined);
    },
    textWithin: (room, count) => {
      const shown = fitSections(sections, room - count(lead), count);
      return [lead, ...shown.map(renderSection)].join("\n");
    },
    others: describeOthers(others, now, short),
  };
}

/** Names the session and says where it stands. */
function describeLead({ newest, status }: Workstream, isHere: boolean, short: ShortId): string {
  const where = isHere || newest.branch === null ? "" : ` on ${newest.branch}`;
  return `Session ${short(newest.id)}${where}: ${describeStatus(status)}.`;
}

/** What the work says itself is not said again. */
function describeNext(next: NextStep | undefined, session: Session, short: ShortId): string | undefined {
  const command = continueCommand(session, short(session.id));
  if (next?.reason === "interrupted")
    return `Go on with the interrupted request below${command === undefined ? "." : `, or in its session: \`${command}\``}`;
  return next?.reason === "question" ? "The question below waits for the user's answer." : next?.text;
}

/** A single line stands behind its title, which takes less room than a list. */
function renderSection({ title, lines }: Shown): string {
  const [first = "", ...others] = lines;
  if (others.length === 0 && !first.includes("\n")) return `${title}: ${first}`;
  return `${title}:\n${lines.map(toItem).join("\n")}`;
}

function toItem(text: string): string {
  return `- ${text.replaceAll("\n", "\n  ")}`;
}

/** Returns where a workstream stands, on which branch unless it is the reader's, and since when. */
export function describeStanding(
  { newest, status, updatedAt }: Workstream,
  now: Date,
  here: string | null,
): string {
  const where = newest.branch === null || newest.branch === here ? "" : ` on ${newest.branch}`;
  return `${describeStatus(status)}${where}, ${describeAge(updatedAt, now)}`;
}

/** How much of a name is told, and where room is short. */
const [longName, shortName] = [120, 50];

/** Returns the other work that is not done, what matters most first. */
function rankOthers(workstreams: readonly Workstream[], main: Workstream, now: Date): readonly Workstream[] {
  return listOpen(workstreams)
    .filter((each) => each !== main && weigh(each, now) > 0)
    .toSorted((one, other) => weigh(other, now) - weigh(one, now))
    .slice(0, mostOthers);
}

/** Names other work, each on a line with the command that goes on with it, in several lengths, the longest first. */
function describeOthers(open: readonly Workstream[], now: Date, short: ShortId): readonly string[] {
  const describe = (each: Workstream, most: number): string =>
    `- ${nameWork(each, most)} (${describeStanding(each, now, null)}; \`${continueOrShow(each.newest, short)}\`)`;
  const upTo = (count: number, most: number): string => {
    const left = open.length - count;
    const lines = open.slice(0, count).map((each) => describe(each, most));
    return [...lines, ...(left > 0 ? [`- ${left} more: \`carryon status\``] : [])].join("\n");
  };
  const counts = open.map((_, index) => open.length - index);
  return open.length === 0 ? [] : [...counts.map((count) => upTo(count, longName)), upTo(1, shortName)];
}

/** Returns the status of work in words. */
export function describeStatus(status: WorkStatus): string {
  return { waiting: "waiting for the user", open: "not finished", interrupted: status, done: status }[status];
}
