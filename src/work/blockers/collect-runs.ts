import { realpath } from "node:fs/promises";
import { type Digest, startDigest } from "../../digest/digest.ts";
import { followEntries } from "../../digest/follow-entries.ts";
import { readTimesOnBranch } from "../../git/branch-times.ts";
import { locateRoot } from "../../git/locate-root.ts";
import { unlessGone } from "../../lib/app-error.ts";
import type { CheckRun } from "../../outcomes/find-runs.ts";
import { listAll } from "../../sessions/conversation-log.ts";
import type { Session } from "../../sessions/session.ts";
import { readSince } from "../read-since.ts";
import type { WorkDesk } from "../work-desk.ts";

/** How much counts of a project that was never saved, before its last activity. */
const dayMs = 24 * 60 * 60 * 1000;

/** How far back is looked at most: a work that was last saved long ago may have much behind it. */
export type Reach = "last-day";

/** How many entries of a session are read then where its digest does not serve. */
const mostEntries = 2000;

type RunSite = Pick<WorkDesk, "site" | "digests" | "settings">;

/** The runs of checks in some sessions, and when the last command of these ended. */
export interface CollectedRuns {
  readonly runs: readonly CheckRun[];
  readonly lastAt: number;
}

/**
 * Returns the runs of checks and the reports of subagents from a moment on; without a moment, those of the last day on
 * which anything was recorded.
 *
 * What was done in another work tree, on another machine, or while another branch was checked out, does not count. The cost
 * grows with what was recorded since the digests were last read.
 */
export async function collectRuns(site: RunSite, since?: Date, reach?: Reach): Promise<CollectedRuns> {
  const { log, project, root } = site.site;
  const day = since === undefined || reach !== undefined ? await lastDay(site) : undefined;
  const from = since === undefined || (day !== undefined && day > since) ? day : since;
  if (from === undefined) return { runs: [], lastAt: 0 };
  const isHere = await isOfFolder(root);
  const sessions: Session[] = [];
  for await (const session of listAll(log, { project: project.id, newest: "here", ...updatedSince(from) }))
    if (await isHere(session)) sessions.push(session);
  const digests = await readDigestsOf(site, sessions, { from, most: reach && mostEntries });
  const isNew = (at: number) => at >= from.getTime();
  // Mostly nothing was recorded, and then git need not be asked.
  if (!digests.some(({ checks }) => isNew(checks.lastAt))) return { runs: [], lastAt: 0 };
  const isOfBranch = await readTimesOnBranch(root);
  const counts = (at: number) => isNew(at) && isOfBranch(new Date(at));
  return {
    runs: digests.flatMap(({ checks }) => checks.runs.filter(({ at }) => counts(at))),
    lastAt: Math.max(0, ...digests.map(({ checks }) => checks.lastAt).filter(counts)),
  };
}

/**
 * Returns the runs that ended at a moment in sessions that were last worked in on another machine: what a state that was
 * saved rests on counts wherever it is recorded, so that what passes here later can take it back.
 */
export async function recallRuns(site: RunSite, moment: Date): Promise<readonly CheckRun[]> {
  const { log, project } = site.site;
  const query = { project: project.id, newest: "elsewhere", ...updatedSince(moment) } as const;
  const sessions = await Array.fromAsync(listAll(log, query));
  const digests = await readDigestsOf(site, sessions, { from: moment, most: mostEntries });
  return digests.flatMap(({ checks }) => checks.runs.filter(({ at }) => at === moment.getTime()));
}

/** The list begins after a moment, and the moment itself counts. */
function updatedSince(moment: Date) {
  return { updatedAfter: new Date(moment.getTime() - 1) };
}

/** Digests know none of a user's own rules: where there are some, they are made of what is new. */
async function readDigestsOf(
  { site, digests, settings }: RunSite,
  sessions: readonly Session[],
  { from, most }: { readonly from: Date; readonly most: number | undefined },
): Promise<readonly Digest[]> {
  const { rules = [] } = settings;
  if (rules.length === 0) {
    const known = await digests(sessions);
    return sessions.flatMap(({ id }) => known.get(id) ?? []);
  }
  return Promise.all(
    sessions.map(async (session) => {
      const entries = await readSince(site.log, session, from, { most });
      return followEntries(startDigest(session.cwd, session.client), entries, settings);
    }),
  );
}

async function lastDay({ site: { log, project } }: RunSite): Promise<Date | undefined> {
  const [newest] = (await log.list({ project: project.id, newest: "here", limit: 1 })).sessions;
  return newest === undefined ? undefined : new Date(newest.updatedAt.getTime() - dayMs);
}

/** Returns a test of sessions: whether they were in a work tree. A folder that is gone has moved here. */
async function isOfFolder(root: string): Promise<(session: Session) => Promise<boolean>> {
  const here = await realpath(root);
  const known = new Map<string, Promise<boolean>>();
  return ({ cwd }) => {
    const answer =
      known.get(cwd) ?? unlessGone(locateRoot(cwd)).then((found) => found === undefined || found === here);
    known.set(cwd, answer);
    return answer;
  };
}
