import { readChangedFiles } from "../../git/git-changes.ts";
import { type GitFacts, readCheckedOut } from "../../git/git-facts.ts";
import { hideSecrets } from "../../redaction/hide-secrets.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { renderTime } from "../decision.ts";
import { type DecisionNumbers, NumbersIn } from "../decisions/decision-numbers.ts";
import type { FoundDecision } from "../decisions/parse-decisions.ts";
import { holdsText, keepOwn, readDecisionsSince } from "../decisions/read-decisions.ts";
import { announced } from "../decisions/recorded-decisions.ts";
import { DocumentRecord, type RecordedEvent, type RecordSite } from "../document-record.ts";
import type { OpenHandover } from "../handover-folder.ts";
import { nextAction, type PipelineState, withoutReasons } from "../pipeline/next-action.ts";
import {
  isSteeringWarning,
  readPipeline,
  settledWarnings,
  steeringWarnings,
} from "../pipeline/read-pipeline.ts";
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
  /** The numbers of all decisions. */
  readonly known: DecisionNumbers;
  /** How many changed files are not listed. */
  readonly unlisted: number;
  readonly pipeline: PipelineState;
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
  /** When session.md was last written here. */
  readonly written: Date | undefined;
  /** The warnings that it has. */
  readonly warned: readonly string[];
}

/** Collects what a session.md is made of from decisions.md, git, the specs and the steering. */
export async function collectFacts(
  { site, handover, git, isTrusted }: FactsDesk,
  { of, written, warned }: Before,
): Promise<CollectedFacts> {
  const { place, decisions: path } = handover;
  const isStart = (each: FoundDecision) =>
    of === undefined ? each.type === sessionStart : isStartOf(each, of);
  const session = findCurrentSession(await readDecisionsSince(place, isStart), of);
  const { start } = session;
  const { state: read, steering } = await readPipeline(place);
  const state = isTrusted ? read : withoutReasons(read);
  const decisions = isTrusted ? session.decisions : await keepOwn(site, session.decisions);
  const next = nextAction(state);
  const head = start && (await readStartHead(site, start.seq));
  const files = git && (await readChangedFiles(git, head)).filter(isOfWork(place.sddDir));
  const began = new Date(Date.parse(start?.at ?? ""));
  const since = Number.isNaN(began.getTime()) ? written : began;
  // Most documents have no such warning, and the last update may be far up in decisions.md.
  const updated = warned.some(isSteeringWarning) ? await readSteered(place) : session.steered;
  return {
    ...{ session, head, pipeline: state },
    known: new NumbersIn(path),
    today: renderTime(site.clock.now()).slice(0, 10),
    // A library keeps a project open while branches come and go.
    branch: git && ((await readCheckedOut(git)).branch ?? detachedHead),
    decisions: decisions.map(({ seq, summary }) => ({ seq, summary: hideSecrets(summary) })),
    // Without a beginning and a document nobody knows what changed since.
    warnings: since === undefined ? [] : steeringWarnings(steering, { since, updated }),
    settled: settledWarnings(warned, steering, { since, updated }),
    derivedNext: next && hideSecrets(next),
    modifiedFiles: files?.slice(0, mostFiles),
    unlisted: Math.max(0, (files?.length ?? 0) - mostFiles),
  };
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
  /** When steering was last said to have changed. */
  readonly steered: Date | undefined;
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
  return { start: all[at], decisions: since, steered: findSteered(since) };
}

/** Returns when steering was last said to have changed, in whatever session. */
async function readSteered(place: HandoverPlace): Promise<Date | undefined> {
  return findSteered(await readDecisionsSince(place, isUpdate));
}

function findSteered(decisions: readonly FoundDecision[]): Date | undefined {
  const update = decisions.findLast(isUpdate);
  return update && toEndOfSecond(update.at);
}

function isUpdate({ type, isStruck }: FoundDecision): boolean {
  return type === "STEERING_UPDATE" && !isStruck;
}

/** Times are written to the second: what happened in that second happened before its end. */
function toEndOfSecond(at: string): Date | undefined {
  const time = Date.parse(at);
  return Number.isNaN(time) ? undefined : new Date(time + 999);
}

/** Returns the commit that was checked out when a session began, if that is known. */
async function readStartHead(site: RecordSite, seq: number): Promise<string | undefined> {
  const record = new DocumentRecord(site, "decisions.md");
  // Most often it is among the newest; and numbers rise, so that it is not before a lower one.
  for (let last = 100; ; last *= 4) {
    const notes = await Array.fromAsync(record.read(last));
    const head = findHead(notes, seq);
    if (head !== undefined || notes.some((note) => isAnnouncement(note) && Number(note.data.seq) < seq))
      return head;
    if (notes.length < last) return findHead(await Array.fromAsync(record.read()), seq);
  }
}

function isAnnouncement({ event }: RecordedEvent): boolean {
  return event === announced;
}

function findHead(notes: readonly RecordedEvent[], seq: number): string | undefined {
  const start = notes.findLast(
    (note) => isAnnouncement(note) && note.data.seq === seq && "head" in note.data,
  );
  return typeof start?.data.head === "string" ? start.data.head : undefined;
}
