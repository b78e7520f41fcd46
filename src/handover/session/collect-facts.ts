import { readChangedFiles } from "../../git/git-changes.ts";
import { type GitFacts, readCheckedOut } from "../../git/git-facts.ts";
import { hideSecrets } from "../../redaction/hide-secrets.ts";
import { type DecisionNumbers, NumbersIn } from "../decisions/decision-numbers.ts";
import { keepOwn } from "../decisions/own-decisions.ts";
import type { FoundDecision } from "../decisions/parse-decisions.ts";
import { readDecisionsSince } from "../decisions/read-last-decisions.ts";
import { renderTime } from "../decisions/render-decision.ts";
import type { RecordSite } from "../document-record.ts";
import type { OpenHandover } from "../handover-folder.ts";
import { nextAction, type PipelineState, withoutReasons } from "../pipeline/next-action.ts";
import { readPipeline } from "../pipeline/read-pipeline.ts";
import { isSteeringWarning, settledWarnings, steeringWarnings } from "../pipeline/steering-warnings.ts";
import { detachedHead } from "../session-doc.ts";
import type { SessionFacts } from "./carry-forward.ts";
import {
  type CurrentSession,
  findCurrentSession,
  isStartOf,
  readStartHead,
  readSteered,
  sessionStart,
} from "./session-start.ts";

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
