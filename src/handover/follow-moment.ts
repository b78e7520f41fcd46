import { lstat } from "node:fs/promises";
import { relative, sep } from "node:path";
import { type GitFacts, readCheckedOut } from "../git/git-facts.ts";
import { checkpoint, hasChangedSince, readOwnCommits } from "../git/work-since.ts";
import { unlessGone } from "../lib/app-error.ts";
import { readDocument } from "../lib/markdown/read-document.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { hideGiven } from "./buffer/hide-given.ts";
import { type DecisionFacts, decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import {
  DocumentRecord,
  findVersion,
  isUnwritten,
  type RecordedEvent,
  type RecordSite,
} from "./document-record.ts";
import { locateHandover } from "./handover-folder.ts";
import { parseSession } from "./parse-session.ts";
import { readPipelineNews } from "./pipeline/read-pipeline.ts";
import { carryForward, type SessionFacts } from "./session/carry-forward.ts";
import { describeStart, hasBegun } from "./session/collect-facts.ts";
import { renderSession, rewriteSession } from "./session/rewrite-session.ts";
import { autoDraft, emptySession } from "./session-doc.ts";
import {
  beginWork,
  endWork,
  type SessionDesk,
  type SessionRequest,
  type WrittenSession,
} from "./session-work.ts";
import { findForeign } from "./wait-for-trust.ts";

/**
 * Says in decisions.md that an agent's session has begun. Undefined when the document says so already: each session
 * begins once, however often it is given its brief.
 *
 * Nobody asked for it, so that nothing is written where documents came with a project which the user does not trust.
 */
export async function begin(
  { site, handover, git, isTrusted }: SessionDesk,
  session: string,
  facts: Pick<DecisionFacts, "examined"> = {},
): Promise<Decision | undefined> {
  if (await hasBegun(handover.place, session)) return undefined;
  if (!isTrusted && (await findForeign({ site, place: handover.place, git })).length > 0) return undefined;
  const isThere = (await unlessGone(lstat(handover.session))) !== undefined;
  const given = {
    type: "SESSION_START",
    summary: "Session started",
    context: describeStart(session),
    decision: isThere ? "Go on from session.md" : "Begin without a session.md",
    source: "carryon",
  } as const;
  return decide(site, handover, given, { ...facts, head: git && (await readCheckedOut(git)).tip });
}

/** What a draft is given beside what it finds out itself. */
export interface DraftRequest extends SessionRequest {
  /** What was done; each is listed once. */
  readonly done?: readonly string[];
  /** The next action, which stays until it is done. */
  readonly next?: string;
  readonly goal?: string;
  readonly activeGoals?: string;
}

/**
 * Brings session.md up to what is known, without a person. With nothing new nothing is written.
 *
 * The versions before and after are in the log before the document changes, so that no draft loses a polished text.
 */
export async function draft(desk: SessionDesk, request: DraftRequest): Promise<WrittenSession> {
  const { done = [], next, goal, activeGoals } = request;
  const work = await beginWork(desk, request);
  const allDone = [...done, ...(work.derived?.done ?? [])];
  const text = draftSession(work.basis?.text, { ...work.facts, goal, activeGoals, done: allDone, next });
  return endWork(work, text, { next, goal });
}

/**
 * Returns the session.md that is written without a person: what is known is carried forward, the rest is brought up to
 * the facts. With nothing new, the previous text is returned as it is, polished or not.
 */
export function draftSession(previous: string | undefined, facts: SessionFacts): string {
  const marks = { generated: facts.today, mode: autoDraft };
  if (previous === undefined) return renderSession({ ...carryForward(emptySession, facts), ...marks });
  const { doc } = parseSession(previous);
  const { generated: _generated, mode: _mode, ...parts } = carryForward(doc, facts);
  const text = rewriteSession(previous, parts);
  return text === previous ? previous : rewriteSession(text, marks);
}

/** A moment in an agent's session after which session.md may have to be drafted: a turn is over, or will not go on as it was. */
export interface Moment {
  readonly session: SessionId;
  readonly at: Date;
  /** When the session began. */
  readonly startedAt: Date;
  /** When the turn began that it belongs to, or the one before it was over. */
  readonly turnFrom: Date;
  /** The commands that have completed in the turn. */
  readonly commands: readonly string[];
  /** The files that tools have changed in the turn. */
  readonly files: readonly string[];
  /** When something was last heard of a session that was cut off: what was written since is newer. */
  readonly cutOffAt?: Date | undefined;
}

/** Why a draft is made. */
type DraftTrigger = "command-completed" | "pipeline-stopped" | "work-changed";

/** A session.md that was drafted because of a moment. */
export interface FollowedMoment {
  readonly trigger: DraftTrigger;
  readonly isChanged: boolean;
}

/** Where it is found out whether a draft is called for. */
interface MomentSite {
  readonly site: RecordSite;
  readonly place: HandoverPlace;
  readonly git: GitFacts | undefined;
}

/** What a draft is called for by, and what was done. */
export interface DraftCall {
  readonly trigger: DraftTrigger;
  readonly done: readonly string[];
}

/**
 * Returns what calls for a draft at a moment; undefined when nothing does.
 *
 * What a person has gone over in the same turn, or since, stays as it is.
 */
export async function findCall(here: MomentSite, moment: Moment): Promise<DraftCall | undefined> {
  const { session, startedAt, turnFrom, commands, cutOffAt } = moment;
  const { newest, own } = await findBefore(here, moment);
  if (cutOffAt !== undefined && (newest?.at ?? cutOffAt) > cutOffAt) return undefined;
  const polished = await findPolished(here.site, session);
  if (polished !== undefined && polished.at > turnFrom) return undefined;
  const since = latest([startedAt, own?.at, polished && turnFrom]);
  const from = sinceCommit(since, polished);
  const commits = here.git === undefined ? [] : await readOwnCommits(here.site.root, from);
  const subjects = commits.map(({ subject }) => subject).filter((subject) => !checkpoint.test(subject));
  const done = [...commands, ...subjects];
  if (commands.length > 0) return { trigger: "command-completed", done };
  const { isStopped, isChanged } = await readPipelineNews(here, since);
  if (isStopped) return { trigger: "pipeline-stopped", done };
  return isChanged || commits.length > 0 || (await hasWorked(here, moment, since))
    ? { trigger: "work-changed", done }
    : undefined;
}

/**
 * Returns the newest version of session.md, and the newest of the session.
 *
 * One that was drafted because of the moment and never reached the document does not count: its writer was killed, and
 * the moment is followed again.
 */
async function findBefore({ site, place }: MomentSite, { session, at: moment }: Moment) {
  const record = new DocumentRecord(site, "session.md");
  const newest = await record.newest();
  const isOfMoment = newest !== undefined && newest.data.by === session && newest.at >= moment;
  const isKilled = isOfMoment && isUnwritten(newest, { root: site.root, text: await readSession(place) });
  const counts = ({ at }: RecordedEvent) => !isKilled || at < moment;
  return {
    newest: isKilled ? await findVersion(record, counts) : newest,
    own: await findVersion(record, (note) => note.data.by === session && counts(note)),
  };
}

function readSession(place: HandoverPlace): Promise<string | undefined> {
  return readDocument(place.root, locateHandover(place).session);
}

/** Returns the last version of session.md that a person has gone over, in a session or in none. */
function findPolished(site: RecordSite, session: SessionId): Promise<RecordedEvent | undefined> {
  const isOthers = (by: unknown) => typeof by === "string" && by !== session;
  return findVersion(
    new DocumentRecord(site, "session.md"),
    ({ data }) => data.polished === true && !isOthers(data.by),
  );
}

/** Of the second in which the turn ended that a person has gone over nobody knows which commits came before. */
function sinceCommit(since: Date, polished: RecordedEvent | undefined): Date {
  return polished === undefined ? since : new Date(since.getTime() + 1000);
}

function latest(moments: readonly (Date | undefined)[]): Date {
  return new Date(Math.max(...moments.flatMap((at) => (at === undefined ? [] : [at.getTime()]))));
}

/** Drafts session.md as a moment calls for it; the session is said to have begun first, unless that is known. */
export async function followMoment(
  desk: SessionDesk,
  moment: Moment,
  { trigger, done, work }: DraftCall & Pick<SessionRequest, "work">,
): Promise<FollowedMoment | undefined> {
  const { session } = moment;
  const polished = await findPolished(desk.site, session);
  // Somebody may have handed it over while the documents were waited for.
  if (polished !== undefined && polished.at > moment.turnFrom) return undefined;
  await begin(desk, session);
  // Git knows its own.
  const files = desk.git === undefined ? filesBelow(desk.site.root, moment.files) : [];
  const commandFrom = trigger === "command-completed" ? moment.turnFrom : undefined;
  const { isChanged } = await draft(desk, hideGiven({ session, done, files, work, commandFrom }));
  return { trigger, isChanged };
}

/** Tells whether files were changed since a moment; outside git, by the tools of the session. */
async function hasWorked({ site, place, git }: MomentSite, { files }: Moment, since: Date): Promise<boolean> {
  if (git === undefined) return filesBelow(site.root, files).length > 0;
  // What we write ourselves, or is written for us, is no work.
  const isOfWork = (file: string) => !file.startsWith(`${place.sddDir}/handover/`);
  return hasChangedSince(git, since, isOfWork);
}

/** Returns paths as they are from the top of the project, without those that are elsewhere. */
function filesBelow(root: string, files: readonly string[]): readonly string[] {
  return files
    .map((file) => relative(root, file))
    .filter((file) => file !== "" && file !== ".." && !file.startsWith(`..${sep}`));
}
