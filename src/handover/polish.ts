import { readSubjectsSince } from "../git/git-history.ts";
import { usageError } from "../lib/app-error.ts";
import { withoutMark } from "../lib/markdown/byte-order-mark.ts";
import { fold, saysNothing } from "../lib/markdown/fold.ts";
import { isUnseen } from "../outcomes/checks.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import { hideGiven } from "./buffer/hide-given.ts";
import { decide } from "./decide.ts";
import {
  type Decision,
  type DecisionText,
  type NewDecision,
  renderTime,
  toDecisionText,
} from "./decision.ts";
import { decisionReferences } from "./decisions/decision-references.ts";
import { DocumentRecord, refuseReadOnly } from "./document-record.ts";
import { outlineOf } from "./markdown/outline.ts";
import { parseSession } from "./parse-session.ts";
import type { Phase } from "./pipeline/spec-file.ts";
import { refuseLeftOpen, refuseUnfinishedMerge } from "./problem.ts";
import { archiveSession } from "./session/archive-session.ts";
import type { Suggestions } from "./session/derive-work.ts";
import { type PolishAnswers, polishSession } from "./session/polish-session.ts";
import { type KnownText, readKnown, strangerIn } from "./session/session-basis.ts";
import { detachedHead, type SessionDoc } from "./session-doc.ts";
import {
  beginWork,
  endWork,
  type SessionDesk,
  type SessionRequest,
  type SessionWork,
  type WrittenSession,
} from "./session-work.ts";

/** More subjects than a person reads. */
const mostCommits = 50;

/** A run of tests that was recorded. */
interface TestRun {
  readonly command: string;
  readonly outcome: "passed" | "failed";
  readonly at: Date;
}

/** What is known of the work of a session without anybody having said it. */
export interface SessionSummary {
  /** Undefined outside git and on a detached HEAD. */
  readonly branch: string | undefined;
  /** The subjects of the commits since the session began, oldest first. */
  readonly commits: readonly string[];
  readonly changedFiles: number;
  readonly specs: readonly { readonly name: string; readonly phase: Phase; readonly wave: number | null }[];
  /** The last run of tests that was recorded. */
  readonly tests: TestRun | undefined;
  /** Files of steering that changed without a word. */
  readonly steering: readonly string[];
}

/** Collects the state of git, of the specs and of the steering. */
async function collectForPerson({ git, collected }: SessionWork): Promise<Omit<SessionSummary, "tests">> {
  const { head, pipeline, branch, modifiedFiles, unlisted, warnings } = collected;
  return {
    branch: branch === detachedHead ? undefined : branch,
    commits: git && head ? await readSubjectsSince(git, head, { most: mostCommits }) : [],
    changedFiles: (modifiedFiles?.length ?? 0) + unlisted,
    specs: pipeline.specs.map(({ name, phase, wave }) => ({ name, phase, wave })),
    steering: warnings,
  };
}

/** Returns the last run of tests whose end was seen. */
function findLastTests({ work }: Pick<SessionRequest, "work">): TestRun | undefined {
  const run = work?.whole.checks.results.findLast(
    (each) => (each.ranFor ?? each.goal) === "test" && !isUnseen(each),
  );
  return run && { command: run.command, outcome: run.passed ? "passed" : "failed", at: new Date(run.at) };
}

/** A decision or an exception as it is given; one that only names a decision, as in `see D7`, is not written down again. */
export interface GivenDecision {
  readonly text: string;
  readonly reason?: string | undefined;
  readonly impact?: string | undefined;
}

/** What a person says when a session is handed over. What is left out is carried forward; `none` empties it. */
export interface PolishRequest extends SessionRequest, Omit<PolishAnswers, "decisions" | "exceptions"> {
  readonly goal?: string | undefined;
  readonly activeGoals?: string | undefined;
  readonly decisions?: readonly GivenDecision[] | undefined;
  readonly exceptions?: readonly GivenDecision[] | undefined;
  /** What the exceptions depart from. */
  readonly steeringRef?: string | undefined;
}

/** Tells whether a text is to be written into decisions.md: it says something, and is explained or names no decision. */
export function isNewDecision({ text, reason, impact }: GivenDecision): boolean {
  const isExplained = reason !== undefined || impact !== undefined;
  return !saysNothing(text) && (isExplained || decisionReferences(text).length === 0);
}

/** Throws when a decision or an exception lacks its reason or its impact, before anything is written. */
export function refuseUnexplained({ decisions = [], exceptions = [] }: PolishRequest): void {
  for (const each of decisions) refuseIncomplete("USER_DECISION", each, "decision");
  for (const each of exceptions) refuseIncomplete("STEERING_EXCEPTION", each, "exceptions");
}

function refuseIncomplete(type: ExplainedType, given: GivenDecision, flag: string): void {
  if (!isNewDecision(given)) return;
  const missing = (["reason", "impact"] as const).find((field) => fold(given[field] ?? "") === "");
  const name = JSON.stringify(hideSecrets(given.text).slice(0, 80));
  if (missing !== undefined)
    throw usageError("missing-field", `${name} has no --${missing}: give it behind its --${flag}.`);
  toDecisionText(toNewDecision(type, given));
}

type ExplainedType = "USER_DECISION" | "STEERING_EXCEPTION";

function toNewDecision(
  type: ExplainedType,
  { text, reason, impact }: GivenDecision,
  { context = handingOver, steeringRef = "unspecified" }: Partial<DecisionText> = {},
): NewDecision {
  // A number that somebody gave it is not the one that it gets.
  const summary = fold(text).replace(/^(?:\*\*)?D\d{1,9}(?:\*\*)?[:：]\s*/, "");
  const ref = type === "STEERING_EXCEPTION" ? { steeringRef } : {};
  return {
    type,
    summary,
    context,
    decision: summary,
    reason: reason ?? "",
    impact: impact ?? "",
    source: "user",
    ...ref,
  };
}

/** The context of a decision in a session that has no goal. */
const handingOver = "carryon handover";

/** A session.md that a person has gone over, and what was written beside it. */
export interface Polished extends WrittenSession {
  /** What the answers have put into decisions.md; those that were there already are not among them. */
  readonly decisions: readonly Decision[];
}

/** Where the session.md before it went, and what is known of the work. */
export interface BegunPolish {
  /** Undefined when there was none. */
  readonly archive: string | undefined;
  readonly summary: SessionSummary;
  /** What the document says before anybody is asked. */
  readonly doc: SessionDoc;
  /** Answers that the record suggests; they count only when a person accepts them. */
  readonly suggestions: Suggestions;
}

/**
 * Copies session.md into the archive, and writes one from what is known. Whoever is interrupted after this has lost
 * nothing.
 */
export async function beginPolish(desk: SessionDesk, request: SessionRequest): Promise<BegunPolish> {
  const work = await beginWork(desk, request);
  await refuseUnwritable(work);
  const archive = await archiveSession(desk.handover, work.facts.today);
  const summary = { ...(await collectForPerson(work)), tests: findLastTests(request) };
  const isUntold = work.facts.session === "new" || work.before.accomplished === "";
  // Where nobody has said what was done, the commits tell.
  const commits = isUntold ? summary.commits.map((each) => hideSecrets(each)) : [];
  const done = [...commits, ...(work.derived?.done ?? [])];
  const { text } = await write(work, { done }, summary.tests);
  return { archive, summary, doc: parseSession(text).doc, suggestions: suggestionsFor(work) };
}

function suggestionsFor({ derived, before, collected }: SessionWork): Suggestions {
  const known = new Set(collected.session.decisions.map(({ summary }) => summary));
  const { decisions = [], tone = [] } = derived?.suggestions ?? {};
  return {
    decisions: decisions.filter((each) => !known.has(each)),
    tone: before.tone === "" ? tone : [],
  };
}

/** Writes answers into session.md, and decisions and exceptions into decisions.md first, so that each has its number. */
export async function answerPolish(desk: SessionDesk, given: PolishRequest): Promise<Polished> {
  // The document was filled from it before anybody was asked, and an answer may have emptied a part since.
  const { work: _work, ...request } = given;
  const { decisions, exceptions, steeringRef, ...rest } = request;
  const before = await beginWork(desk, request);
  // A hand may have changed it while a person was asked.
  await refuseUnwritable(before);
  const scribe = new Scribe(desk, before, { goal: request.goal, steeringRef });
  const numbered = {
    ...rest,
    decisions: decisions && (await scribe.number(decisions, "USER_DECISION")),
    exceptions: exceptions && (await scribe.number(exceptions, "STEERING_EXCEPTION")),
  };
  const work = scribe.appended.length === 0 ? before : await beginWork(desk, request);
  const written = await write(work, numbered, findLastTests(given));
  return { ...written, decisions: scribe.appended };
}

/** Says in decisions.md that the session is over. */
export async function endPolish(desk: SessionDesk): Promise<Decision> {
  const { site, handover, git } = desk;
  const record = new DocumentRecord(site, "session.md");
  const known = await readKnown(record, { root: handover.place.root, path: handover.session, git });
  const doc = quotable(desk, known);
  const end = {
    type: "SESSION_END",
    summary: "Session handed over",
    context: doc === undefined || doc.goal === "" ? handingOver : doc.goal,
    decision: doc === undefined ? "Go on from session.md" : `Next: ${fold(doc.nextAction)}`,
    source: "user",
  } as const;
  // What a person wrote into session.md by hand is only there as it is.
  return decide(site, handover, hideGiven(end));
}

/** Returns what a document says, unless there are words of others in it whom the user does not trust. */
function quotable({ isTrusted }: SessionDesk, known: KnownText | undefined): SessionDoc | undefined {
  if (known === undefined || (!isTrusted && strangerIn(known) !== undefined)) return undefined;
  return parseSession(known.text).doc;
}

/** Refuses a session.md that cannot be replaced, before anything is written elsewhere. */
async function refuseUnwritable({ handover, found }: SessionWork): Promise<void> {
  if (found !== undefined) refuseUnfit(found.text);
  await refuseReadOnly(handover.session);
}

/** Answers in which each new decision has its number. */
interface NumberedAnswers extends PolishAnswers, Pick<PolishRequest, "goal" | "activeGoals"> {
  readonly done?: readonly string[];
}

async function write(
  work: SessionWork,
  { goal, activeGoals, done = [], ...answers }: NumberedAnswers,
  tests: TestRun | undefined,
): Promise<WrittenSession> {
  const { basis, facts } = work;
  const known = { ...facts, goal, activeGoals, done, tests: tests && describeTests(tests) };
  const text = polishSession(basis?.text, answers, known);
  return endWork(work, text, { next: answers.next?.join("\n"), goal });
}

function describeTests({ command, outcome, at }: TestRun): string {
  const line = fold(command).slice(0, 200);
  return `${line.includes("`") ? line : `\`${line}\``} ${outcome} (${renderTime(at)})`;
}

/** Puts answers into decisions.md. */
class Scribe {
  readonly #desk: SessionDesk;
  readonly #work: SessionWork;
  readonly #shared: Partial<DecisionText>;
  readonly appended: Decision[] = [];

  constructor(desk: SessionDesk, work: SessionWork, { goal, steeringRef }: PolishRequest) {
    this.#desk = desk;
    this.#work = work;
    const known = goal ?? quotable(desk, work.basis)?.goal ?? "";
    this.#shared = {
      ...(!saysNothing(known) && { context: fold(known) }),
      ...(steeringRef !== undefined && { steeringRef }),
    };
  }

  /**
   * Returns each text with the number of its decision, an exception also with its reason. One that names a decision is
   * left as it is, and one that was written down in this session before, as by a handover that was interrupted, is not
   * written down again.
   */
  async number(given: readonly GivenDecision[], type: ExplainedType): Promise<readonly string[]> {
    const numbered: string[] = [];
    for (const each of given) {
      if (!isNewDecision(each)) {
        numbered.push(each.text);
        continue;
      }
      const { summary, reason, seq } = await this.#write(toNewDecision(type, each, this.#shared));
      const why = type === "USER_DECISION" || saysNothing(reason) ? "" : `: ${reason}`;
      numbered.push(`${summary}${why} (D${seq})`);
    }
    return numbered;
  }

  async #write(draft: NewDecision): Promise<Decision> {
    const known = [...this.#work.collected.session.decisions, ...this.appended];
    const same = known.find(({ type, summary }) => type === draft.type && summary === draft.summary);
    if (same !== undefined) return same;
    const decision = await decide(this.#desk.site, this.#desk.handover, hideGiven(draft));
    this.appended.push(decision);
    return decision;
  }
}

/**
 * Throws when a session.md cannot be rewritten: it has the marks of a git merge, or leaves something open.
 *
 * For those who write elsewhere before they rewrite it.
 */
function refuseUnfit(text: string): void {
  refuseUnfinishedMerge(text);
  refuseLeftOpen(outlineOf(withoutMark(text)), "session.md");
}
