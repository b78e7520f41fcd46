import { readChangedFiles } from "../../git/git-changes.ts";
import { type GitFacts, readCheckedOut } from "../../git/git-facts.ts";
import { hideSecrets } from "../../redaction/hide-secrets.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { renderTime } from "../decision.ts";
import type { FoundDecision } from "../decisions/parse-decisions.ts";
import { holdsText, keepOwn, readDecisionsSince } from "../decisions/read-decisions.ts";
import { announced } from "../decisions/recorded-decisions.ts";
import { DocumentRecord, type RecordedEvent, type RecordSite } from "../document-record.ts";
import type { OpenHandover } from "../handover-folder.ts";
import { nextAction, type PipelineState, withoutReasons } from "../pipeline/next-action.ts";
import { readPipeline } from "../pipeline/read-pipeline.ts";
import {
  type Hashes,
  settledWarnings,
  steeringWarnings,
  toHashes,
  withoutWarned,
} from "../pipeline/steering.ts";
import { detachedHead } from "../session-doc.ts";
import type { SessionFacts } from "./carry-forward.ts";

/** More files than a person reads; a document has room for so many lines only. */
const mostFiles = 500;

/** What can be found out about the work of a session. */
export interface CollectedFacts
  extends Pick<
    SessionFacts,
    "today" | "branch" | "decisions" | "warnings" | "settled" | "modifiedFiles" | "derivedNext"
  > {
  readonly session: CurrentSession;
  /** How many changed files are not listed. */
  readonly unlisted: number;
  readonly pipeline: PipelineState;
  /** What the files of the specs say. */
  readonly specs: Hashes;
  /** What the files of steering said when that was last explained, or else when they were first seen. */
  readonly steering: Hashes;
  /** The commit that was checked out when the session began, if that is known. */
  readonly head: string | undefined;
}

/** Where facts are collected. */
interface FactsDesk {
  readonly site: RecordSite;
  readonly handover: OpenHandover;
  readonly git: GitFacts | undefined;
  /** Whether the user trusts the project: only then is quoted what others wrote. */
  readonly isTrusted: boolean;
}

/** What the facts are collected for. */
interface Before {
  /** The agent's session whose work it is. */
  readonly of: string | undefined;
  /** What is known of the session.md that was last written here. */
  readonly last: RecordedEvent | undefined;
  /** The warnings that it has. */
  readonly warned: readonly string[];
}

/** Collects what a session.md is made of from decisions.md, git, the specs and the steering. */
export async function collectFacts(
  { site, handover, git, isTrusted }: FactsDesk,
  { of, last, warned }: Before,
): Promise<CollectedFacts> {
  const { place } = handover;
  const isStart = (each: FoundDecision) =>
    of === undefined ? each.type === sessionStart : isStartOf(each, of);
  const session = findCurrentSession(await readDecisionsSince(place, isStart), of);
  const { start } = session;
  const { state: read, steering: now, hashes } = await readPipeline(place);
  const state = isTrusted ? read : withoutReasons(read);
  const decisions = isTrusted ? session.decisions : await keepOwn(site, session.decisions);
  const next = nextAction(state);
  const begun = start && (await readAnnouncement(site, start.seq));
  const head = typeof begun?.data.head === "string" ? begun.data.head : undefined;
  const files = git && (await readChangedFiles(git, head)).filter(isOfWork(place.sddDir));
  const steering = await findKnownSteering({ site, place }, { now, warned, notes: [last, begun] });
  const warnings = steeringWarnings(now, steering);
  return {
    ...{ session, head, pipeline: state, specs: hashes, steering, warnings },
    today: renderTime(site.clock.now()).slice(0, 10),
    // A library keeps a project open while branches come and go.
    branch: git && ((await readCheckedOut(git)).branch ?? detachedHead),
    decisions: decisions.map(({ seq, summary }) => ({ seq, summary: hideSecrets(summary) })),
    settled: settledWarnings(warned, warnings),
    derivedNext: next && hideSecrets(next),
    modifiedFiles: files?.slice(0, mostFiles),
    unlisted: Math.max(0, (files?.length ?? 0) - mostFiles),
  };
}

interface SteeringNow extends Pick<Before, "warned"> {
  readonly now: Hashes;
  /** What was noted with session.md, and else with the beginning of the session. */
  readonly notes: readonly (RecordedEvent | undefined)[];
}

/** Returns what the files of steering said when a STEERING_UPDATE explained them, or else when they were first seen. */
async function findKnownSteering(
  { site, place }: { readonly site: RecordSite; readonly place: HandoverPlace },
  { now, warned, notes }: SteeringNow,
): Promise<Hashes> {
  const note = notes.find((each) => each?.data.steering !== undefined);
  const known = toHashes(note?.data.steering) ?? withoutWarned(now, warned);
  // Most often nothing has changed, and the last update may be far up in decisions.md.
  if (steeringWarnings(now, known).length === 0) return known;
  const update = (await readDecisionsSince(place, isUpdate)).findLast(isUpdate);
  if (update === undefined || isBefore(update.at, note?.at)) return known;
  // What another hand wrote into decisions.md explains what is there now.
  return toHashes((await readAnnouncement(site, update.seq))?.data.steering) ?? now;
}

/** Times are written to the second: what happened in that second happened before its end. */
function isBefore(at: string, moment: Date | undefined): boolean {
  return moment !== undefined && Date.parse(at) + 999 < moment.getTime();
}

/** The handover does not tell of itself. */
function isOfWork(sddDir: string): (file: string) => boolean {
  return (file) => !file.startsWith(`${sddDir}/handover/`);
}

/** How many decisions belong to the first session, where none is known to have begun. */
const atMost = 20;

/** The type of the entries that say that a session began. */
const sessionStart = "SESSION_START";

/** The session that goes on, as far as decisions.md tells. */
export interface CurrentSession {
  /** The entry that says that it began. */
  readonly start: FoundDecision | undefined;
  /** What was decided since, but for beginnings and ends. */
  readonly decisions: readonly FoundDecision[];
}

/** Tells whether an entry says only that a session began or ended. */
export function isBoundary({ type }: Pick<FoundDecision, "type">): boolean {
  return type === sessionStart || type === "SESSION_END";
}

/** Returns how the beginning of an agent's session is told in decisions.md. */
export function describeStart(session: string): string {
  return `session ${session}`;
}

/** Tells whether a decision is the beginning of an agent's session. */
export function isStartOf({ type, context }: FoundDecision, session: string): boolean {
  return type === sessionStart && context === describeStart(session);
}

/** Tells whether decisions.md says that an agent's session has begun. */
export async function hasBegun(place: HandoverPlace, session: string): Promise<boolean> {
  if (!(await holdsText(place, describeStart(session)))) return false;
  const isStart = (each: FoundDecision) => isStartOf(each, session);
  return (await readDecisionsSince(place, isStart)).some(isStart);
}

/**
 * Finds a session in the decisions since it began, in the order of the file; those before do no harm. It is the one
 * that an agent is in, else the one that began last.
 */
function findCurrentSession(all: readonly FoundDecision[], of: string | undefined): CurrentSession {
  const own = of === undefined ? -1 : all.findLastIndex((each) => isStartOf(each, of));
  const at = own < 0 ? all.findLastIndex(({ type }) => type === sessionStart) : own;
  const since = all
    .slice(at + 1)
    .filter((each) => each.type !== "" && !isBoundary(each) && !each.isStruck)
    .slice(at < 0 ? -atMost : 0);
  return { start: all[at], decisions: since };
}

function isUpdate({ type, isStruck }: FoundDecision): boolean {
  return type === "STEERING_UPDATE" && !isStruck;
}

/** Returns what the log noted of a decision before it was written, if that is known. */
async function readAnnouncement(site: RecordSite, seq: number): Promise<RecordedEvent | undefined> {
  const record = new DocumentRecord(site, "decisions.md");
  // Most often it is among the newest; and numbers rise, so that it is not before a lower one.
  for (let last = 100; ; last *= 4) {
    const notes = await Array.fromAsync(record.read(last));
    const own = notes.filter(({ event }) => event === announced);
    const found = own.findLast(({ data }) => data.seq === seq);
    if (found !== undefined || notes.length < last || own.some(({ data }) => Number(data.seq) < seq))
      return found;
  }
}
