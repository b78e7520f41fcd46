import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type GitFacts, readCheckedOut } from "../git/git-facts.ts";
import { unlessGone } from "../lib/app-error.ts";
import { sha256 } from "../sessions/chain.ts";
import type { JsonObject } from "../sessions/entry.ts";
import {
  DocumentRecord,
  isUnwritten,
  keepVersions,
  type RecordedEvent,
  type RecordSite,
  replaceDocument,
  textsOf,
} from "./document-record.ts";
import { findUnknown } from "./examine-documents.ts";
import type { OpenHandover } from "./handover-folder.ts";
import { itemsOf } from "./list-items.ts";
import { readHighest } from "./logged-decisions.ts";
import { awaiting, isOvertaken } from "./next-step.ts";
import { parseSession, whereNext } from "./parse-session.ts";
import type { Problem } from "./problem.ts";
import type { RecordedWork } from "./recorded-work.ts";
import type { SessionFacts } from "./session/carry-forward.ts";
import { type CollectedFacts, type CurrentSession, collectFacts } from "./session/collect-facts.ts";
import { type DerivedWork, readDerived } from "./session/derive-work.ts";
import { findLeft } from "./session/left-handovers.ts";
import { chooseBasis, fromNote, type KnownText, readKnown, strangerIn } from "./session/session-basis.ts";
import { emptySession, type SessionDoc } from "./session-doc.ts";

/** Where the work on a session.md happens. */
export interface SessionDesk {
  readonly site: RecordSite;
  readonly handover: OpenHandover;
  readonly git: GitFacts | undefined;
  /** Whether the user trusts the project: only then is quoted what others wrote. */
  readonly isTrusted: boolean;
}

/** Whose session.md it is, and what is known of it without having been said by anybody. */
export interface SessionRequest {
  /** The session of an agent that it is the work of. */
  readonly session?: string | undefined;
  /** Further files that were changed, by their paths from the top of the project. */
  readonly files?: readonly string[] | undefined;
  /** The recorded work that fills the parts which no person wrote. */
  readonly work?: RecordedWork | undefined;
  /** When the turn began that a command has completed in: it overtakes a next action that was given before. */
  readonly commandFrom?: Date | undefined;
}

/** What is known when a session.md is about to be written. */
export interface SessionWork extends SessionDesk {
  readonly record: DocumentRecord;
  /** What the file says. */
  readonly found: KnownText | undefined;
  /** What is carried forward. */
  readonly basis: KnownText | undefined;
  /** What that says. */
  readonly before: SessionDoc;
  readonly collected: CollectedFacts;
  readonly facts: Omit<SessionFacts, "done">;
  /** Undefined without recorded work. */
  readonly derived: DerivedWork | undefined;
  readonly goalFrom: "user" | "work" | undefined;
  /** The warnings of failing checks that the document got earlier. */
  readonly failedBefore: readonly string[];
  readonly by: string | undefined;
  /** The files that were named in this session. */
  readonly files: readonly string[];
}

/** Finds out all that a session.md is made of. */
export async function beginWork(desk: SessionDesk, request: SessionRequest): Promise<SessionWork> {
  const { site, handover, git } = desk;
  const record = new DocumentRecord(site, "session.md");
  const place = { root: handover.place.root, path: handover.session, git };
  const found = await readKnown(record, place);
  const basis = (await chooseBasis(record, found, request.session)) ?? (await findElsewhere(desk));
  const before = basis === undefined ? emptySession : parseSession(basis.text).doc;
  const collected = await collectFacts(desk, {
    of: request.session,
    // Where another hand has changed it, it was still written here before.
    last: basis?.note ?? (await record.newest()),
    warned: itemsOf(before.warnings).map(({ text }) => text),
  });
  const {
    session,
    unlisted: _unlisted,
    specs: _specs,
    steering: _steering,
    modifiedFiles,
    pipeline: _pipeline,
    head,
    ...rest
  } = collected;
  const isNew = hasBegun(session, basis);
  const since = isNew ? undefined : basis?.note?.at;
  const derived = request.work && (await readDerived(request.work, { handover, git, head, since }));
  const goalFrom = toGoalFrom(basis?.note?.data.goalFrom);
  const failedBefore = textsOf(basis?.note?.data.failing);
  const named = isNew ? [] : textsOf(basis?.note?.data.files);
  const files = [...new Set([...named, ...(request.files ?? [])])];
  const listed = git === undefined && files.length === 0 ? undefined : [...(modifiedFiles ?? []), ...files];
  return {
    ...desk,
    ...{ record, found, basis, before, collected, files, by: request.session },
    ...{ derived, goalFrom, failedBefore },
    facts: {
      ...rest,
      ...(derived && fillFrom(derived, { isNew, before, goalFrom, failedBefore, collected })),
      ...{ modifiedFiles: listed, session: isNew ? "new" : "same" },
      nextFrom: toNextFrom(basis?.note?.data.nextFrom),
      isNextOvertaken: await hasOvertaken(desk, basis, request),
    },
  };
}

/** Tells whether work has gone on since the next action of a document was given. */
async function hasOvertaken(
  { site, git }: SessionDesk,
  basis: KnownText | undefined,
  { work, commandFrom }: SessionRequest,
): Promise<boolean> {
  if (basis?.note?.data.nextFrom !== "user") return false;
  const { at } = whereNext(basis);
  if (at === undefined) return false;
  if (commandFrom !== undefined && at < commandFrom) return true;
  const hasCommits = git !== undefined && basis.head !== (await readCheckedOut(git)).tip;
  const { nextAction } = parseSession(basis.text).doc;
  return isOvertaken(nextAction, at, { root: site.root, hasCommits, work: work?.whole });
}

/** Returns the facts to which recorded work leads. A text of a person stays, and so does the gap that one left. */
function fillFrom(
  { goal, next, failing }: DerivedWork,
  {
    isNew,
    before,
    goalFrom,
    failedBefore,
    collected,
  }: Pick<SessionWork, "before" | "goalFrom" | "failedBefore" | "collected"> & { readonly isNew: boolean },
): Partial<SessionFacts> {
  const isEmpty = before.goal === "" && (isNew || goalFrom !== "user");
  return {
    derivedGoal: isEmpty || goalFrom === "work" ? goal : undefined,
    derivedNext: collected.derivedNext ?? next ?? awaiting,
    warnings: [...collected.warnings, ...failing.filter((each) => !failedBefore.includes(each))],
    settled: [...(collected.settled ?? []), ...failedBefore.filter((each) => !failing.includes(each))],
  };
}

/** Says which texts of a document Carryon derived itself, and may replace. */
function originsOf(
  { before, basis, derived, goalFrom, failedBefore }: SessionWork,
  doc: SessionDoc,
  goal: string | undefined,
): JsonObject {
  const isSame = basis !== undefined && before.goal === doc.goal;
  const from = goal !== undefined ? "user" : isSame ? goalFrom : doc.goal === "" ? undefined : "work";
  const failing = derived?.failing ?? failedBefore;
  return {
    ...(from !== undefined && { goalFrom: from }),
    ...((failing.length > 0 || failedBefore.length > 0) && { failing }),
  };
}

/** In a new work tree or clone a session goes on from what its brief has told it: what was left last in another. */
async function findElsewhere({ site, isTrusted }: SessionDesk): Promise<KnownText | undefined> {
  const left = await findLeft(site, { isTrusted });
  // Of a version whose folder nobody wrote down, it may be this one, where somebody wants to begin anew.
  const last = left.find(({ root }) => root !== undefined && root !== site.root);
  return last && fromNote(last.text, last.note);
}

/** What became of session.md. */
export interface WrittenSession {
  readonly isChanged: boolean;
  readonly text: string;
  /** What is wrong with the document, such as a reference to a decision that there is not. */
  readonly problems: readonly Problem[];
  /** How many changed files are not listed, because there are too many. */
  readonly unlisted: number;
}

/** Writes a text that was made of what is known; one that says nothing new is not written. */
export async function endWork(
  work: SessionWork,
  text: string,
  { next, goal }: { readonly next?: string | undefined; readonly goal?: string | undefined } = {},
): Promise<WrittenSession> {
  const { record, handover, found, basis, collected } = work;
  const isChanged = await isNews(work, text);
  const { doc, problems } = parseSession(text);
  const carries = basis && strangerIn(basis);
  const facts: JsonObject = {
    start: collected.session.start?.seq ?? 0,
    files: work.files,
    ...{ specs: { ...collected.specs }, steering: { ...collected.steering } },
    ...factsOfNext(work, doc, next),
    by: work.by ?? null,
    polished: doc.mode === "",
    ...(carries !== undefined && { carries }),
    ...originsOf(work, doc, goal),
  };
  // A version that is only told more of is not written again, though another session's may be in the file.
  const version = { previous: isChanged ? found?.text : text, outside: found?.outside, text };
  if (isChanged) {
    const replacement = {
      ...version,
      path: handover.session,
      facts: { ...facts, ...(await readMoment(work)) },
    };
    await replaceDocument(record, replacement);
  } else if (!knows(basis?.note, facts)) {
    await keepVersions(record, { ...version, facts: { ...momentOf(basis?.note), ...facts } });
  }
  const unknown = await findUnknown(work.site, text, handover.place);
  return { isChanged, text, problems: [...problems, ...unknown], unlisted: collected.unlisted };
}

/** Says who gave the next action of a document, for which branch, and since when it has it. */
function factsOfNext(work: SessionWork, doc: SessionDoc, next: string | undefined): JsonObject {
  const { site, basis, before, facts, collected } = work;
  const isSame = basis !== undefined && before.nextAction === doc.nextAction;
  const known = isSame ? whereNext(basis) : undefined;
  const kept = next === undefined || known?.on === collected.branch ? known : undefined;
  const at = kept?.at ?? site.clock.now();
  return {
    nextFrom: next !== undefined ? "user" : isSame ? (facts.nextFrom ?? null) : "pipeline",
    nextOn: (kept === undefined ? collected.branch : kept.on) ?? null,
    nextAt: at.toISOString(),
  };
}

/** What was gone on from elsewhere is news in a folder that has no document yet. */
async function isNews({ site, record, basis, found }: SessionWork, text: string): Promise<boolean> {
  if (found === undefined || text !== basis?.text) return true;
  if (text === found.text) return false;
  // A writer that was killed may have announced this text, and left the draft of another session in the file.
  const newest = await record.newest();
  return newest?.data.sha256 === sha256(text) && isUnwritten(newest, { root: site.root, text: found.text });
}

/** Where it is written, what is checked out and was decided until now, and which of the changed files are gone. */
async function readMoment({ site, handover, git, facts }: SessionWork): Promise<JsonObject> {
  const { root } = handover.place;
  const head = git && (await readCheckedOut(git)).tip;
  const gone: string[] = [];
  for (const file of facts.modifiedFiles ?? [])
    if ((await unlessGone(lstat(join(root, file)))) === undefined) gone.push(file);
  return { root, decided: await readHighest(site), ...(head && { head }), gone };
}

const ofMoment = ["root", "decided", "head", "gone"] as const;

function momentOf(note: RecordedEvent | undefined): JsonObject {
  return Object.fromEntries(
    ofMoment.flatMap((name) => {
      const value = note?.data[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Tells whether a session has begun since the document was last written. */
function hasBegun({ start }: CurrentSession, basis: KnownText | undefined): boolean {
  if (start === undefined || basis === undefined) return false;
  const known = basis.note?.data.start;
  if (typeof known === "number") return start.seq !== known;
  return basis.at !== undefined && Date.parse(start.at) > basis.at.getTime();
}

function toNextFrom(value: unknown): "user" | "pipeline" | undefined {
  return value === "user" || value === "pipeline" ? value : undefined;
}

function toGoalFrom(value: unknown): "user" | "work" | undefined {
  return value === "user" || value === "work" ? value : undefined;
}

function knows(last: RecordedEvent | undefined, facts: JsonObject): boolean {
  return Object.entries(facts).every(
    ([name, value]) => JSON.stringify(last?.data[name]) === JSON.stringify(value),
  );
}
