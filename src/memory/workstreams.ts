import { type Digest, standingVerdict, type TreeNow } from "../digest/digest.ts";
import { goesOn, isTrivial, judgeWork, nameOf, type WorkStatus } from "../digest/judge-work.ts";
import { mergeDigests } from "../digest/merge-digests.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import { beginningOf, type ShortId } from "../sessions/short-ids.ts";

/** Sessions that belong together: by resume, fork or branch. */
export interface Workstream {
  /** Oldest first; never empty. */
  readonly sessions: readonly Session[];
  /** The newest one that did something. */
  readonly newest: Session;
  readonly digest: Digest;
  readonly status: WorkStatus;
  /** Whether it has nothing that the next session must know. */
  readonly isTrivial: boolean;
  readonly updatedAt: Date;
  /** The files of now, where it is on the branch that is checked out and git was asked. */
  readonly tree?: TreeNow;
}

/** Branches on which unrelated work is done. */
const shared: ReadonlySet<string | null> = new Set([
  null,
  "main",
  "master",
  "trunk",
  "develop",
  "dev",
  "HEAD",
]);

/** A session that only says "go on" goes on with one that ended at most so long before it. */
const continuedWithinMs = 14 * 24 * 3_600_000;

/** Groups sessions into workstreams, the newest first. Sessions without a digest are left out. */
export function groupSessions(
  sessions: readonly Session[],
  digests: ReadonlyMap<SessionId, Digest>,
): readonly Workstream[] {
  const members = sessions.flatMap((session): readonly Member[] => {
    const digest = digests.get(session.id);
    return digest === undefined || digest.words.length === 0 ? [] : [{ session, digest }];
  });
  const groups = new Map<string, Member[]>();
  const groupOf = new Map<SessionId, string>();
  let before: Session | undefined;
  for (const member of members.toSorted((one, other) => startOf(one) - startOf(other))) {
    const { session, digest } = member;
    const key = findGroup(member, before, groupOf) ?? session.id;
    groups.set(key, [...(groups.get(key) ?? []), member]);
    groupOf.set(session.id, key);
    if (!isTrivial(digest)) before = session;
  }
  return [...groups.values()]
    .flatMap(toWorkstream)
    .toSorted((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime());
}

/** A session and what is known of its work. */
interface Member {
  readonly session: Session;
  readonly digest: Digest;
}

const startOf = ({ session }: Member): number => session.startedAt.getTime();

function findGroup(
  { session, digest }: Member,
  before: Session | undefined,
  groupOf: ReadonlyMap<SessionId, string>,
): string | undefined {
  const origin = session.forkedFrom === null ? undefined : groupOf.get(session.forkedFrom.session);
  if (origin !== undefined) return origin;
  if (!shared.has(session.branch)) return `branch ${session.branch}`;
  if (before === undefined || before.branch !== session.branch || !goesOn(digest)) return undefined;
  const pause = session.startedAt.getTime() - before.updatedAt.getTime();
  return pause <= continuedWithinMs ? groupOf.get(before.id) : undefined;
}

function toWorkstream(members: readonly Member[]): readonly Workstream[] {
  const telling = members.filter(({ digest }) => !isTrivial(digest));
  const ordered = inOrderOfWork(telling.length > 0 ? telling : members);
  const last = ordered.at(-1);
  if (last === undefined) return [];
  const { session: newest } = last;
  const merged = ordered
    .map(({ digest }) => digest)
    .reduceRight((later, earlier) => mergeDigests(earlier, later));
  // What a person says in one of them is about the work.
  const verdicts = members.flatMap(({ digest: { verdict } }) => verdict ?? []);
  const digest = { ...merged, verdict: verdicts.toSorted((one, other) => one.at - other.at).at(-1) ?? null };
  return [
    {
      sessions: members.map(({ session }) => session),
      ...{ newest, digest, updatedAt: newest.updatedAt },
      status: judgeSession(newest, digest),
      isTrivial: telling.length === 0,
    },
  ];
}

/** Judges where the work of a session stands. One whose process died is interrupted, unless a person says that it is done. */
export function judgeSession({ status }: Pick<Session, "status">, digest: Digest): WorkStatus {
  return status === "interrupted" && standingVerdict(digest) !== "done" ? status : judgeWork(digest);
}

/** Returns sessions by their ends; one that was interrupted comes last until another has gone on with the work. */
function inOrderOfWork(members: readonly Member[]): readonly Member[] {
  const ordered = members.toSorted(
    (one, other) => one.session.updatedAt.getTime() - other.session.updatedAt.getTime(),
  );
  const cut = ordered.findLastIndex(isCutOff);
  const since = ordered.slice(cut + 1);
  return cut === -1 || since.some(hasGoneOn)
    ? ordered
    : [...ordered.slice(0, cut), ...since, ...ordered.slice(cut, cut + 1)];
}

function isCutOff({ session, digest }: Member): boolean {
  return judgeSession(session, digest) === "interrupted";
}

function hasGoneOn({ digest }: Member): boolean {
  return digest.edited.length + digest.commits.length > 0 || goesOn(digest);
}

/** Returns what a workstream is called, on one line. */
export function nameWork({ newest, digest }: Pick<Workstream, "newest" | "digest">, most: number): string {
  return nameOf(digest, newest, most);
}

/** Returns the command that goes on with a session of this machine, in the program that wrote it; undefined for other programs. */
export function continueCommand({ client, status }: Session, id: string): string | undefined {
  if (client === "claude-code") return `carryon resume ${id}`;
  if (client === "carryon-chat") return `carryon chat --session ${id}`;
  if (client !== "carryon-run") return undefined;
  const run = `carryon run --resume${id === "latest" ? "" : ` --session ${id}`}`;
  return status === "interrupted" ? run : `${run} "MORE"`;
}

/** Returns the command that goes on with a session, or where there is none, that shows it. */
export function continueOrShow(session: Session, short: ShortId = beginningOf): string {
  const id = short(session.id);
  return continueCommand(session, id) ?? `carryon show ${id}`;
}

/** Returns the work that the next session may go on with, in the same order. */
export function listOpen(workstreams: readonly Workstream[]): readonly Workstream[] {
  return workstreams.filter((each) => !each.isTrivial && each.status !== "done");
}

const dayMs = 24 * 3_600_000;

/** Unfinished work counts more than finished work, and newer work more than older. */
const weights: Readonly<Record<WorkStatus, number>> = { interrupted: 3, waiting: 2, open: 2, done: 1 };

/** Returns how much a workstream matters at a moment; one that is done fades first. */
export function weigh({ status, updatedAt, isTrivial: isSmall }: Workstream, now: Date): number {
  const days = Math.max(0, now.getTime() - updatedAt.getTime()) / dayMs;
  return (isSmall ? 0 : weights[status]) - days / 7;
}

/** Returns the workstream that a session on a branch goes on with: one of that branch, else the one that matters most. */
export function chooseWorkstream(
  workstreams: readonly Workstream[],
  branch: string | null | undefined,
  now: Date,
): Workstream | undefined {
  const ranked = workstreams.toSorted((one, other) => weigh(other, now) - weigh(one, now));
  // A client that was killed early may not have said on which branch it was.
  const here = ranked.filter(({ newest }) => newest.branch === branch || newest.branch === null);
  return here.find((each) => !each.isTrivial) ?? ranked[0] ?? here[0];
}
