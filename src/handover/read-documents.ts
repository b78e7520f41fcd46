import { relative } from "node:path";
import { type GitFacts, readCheckedOut } from "../git/git-facts.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { Attempts } from "./attempts.ts";
import { ownNotesIn, parseBuffer, withoutOthers } from "./buffer/buffer-doc.ts";
import { type Dated, isOpen, type Origin } from "./dated.ts";
import type { Decision } from "./decision.ts";
import { type DocumentName, DocumentRecord, findVersion, isOwn, type RecordSite } from "./document-record.ts";
import { type Drift, findDrift } from "./documents/find-drift.ts";
import { readDecisions, readDecisionsElsewhere, readLatestDecisions } from "./documents/latest-decisions.ts";
import {
  type FromLog,
  type LeftDoc,
  readLeftBeside,
  readLoggedHandover,
} from "./documents/read-logged-handover.ts";
import { examineDecisions, examineForBrief, type StampedFindings } from "./examine-decisions.ts";
import { findUnknown } from "./examine-documents.ts";
import { locateHandover } from "./handover-folder.ts";
import { isDerivedAction, isOvertaken } from "./next-step.ts";
import type { Candidate, Note } from "./note.ts";
import { parseSession, whereNext } from "./parse-session.ts";
import { isRoadmapActive, nextAction, type PipelineState } from "./pipeline/next-action.ts";
import { readPipeline } from "./pipeline/read-pipeline.ts";
import type { Problem } from "./problem.ts";
import {
  chooseBasis,
  findElsewhere,
  fromNote,
  type KnownText,
  readKnown,
  strangerIn,
} from "./session/session-basis.ts";
import { detachedHead, type SessionDoc } from "./session-doc.ts";

export type { Drift } from "./documents/find-drift.ts";
export type { FromLog, LeftDoc } from "./documents/read-logged-handover.ts";

/** Where documents are read, and for whom. */
export interface DocumentSite {
  readonly place: HandoverPlace;
  readonly git: GitFacts | undefined;
  /** What this user's log knows; undefined where nothing was ever recorded. */
  readonly record: RecordSite | undefined;
  /** Whether the user trusts the project: only then counts what others wrote. */
  readonly isTrusted: boolean;
}

/** The specs of a project, in lines. */
interface Specs {
  /** What they call for next. */
  readonly next: string | undefined;
  /** The findings of reviews that are open. */
  readonly reviews: readonly string[];
  /** How far each has come, while a roadmap is worked on. */
  readonly phases: readonly string[];
}

/** A next action that a document has, or had. */
export interface GivenNext {
  readonly text: string;
  /** Since when. */
  readonly at: Date | undefined;
  /** The branch that it is for, if it is another one than that of now. */
  readonly branch: string | undefined;
  /** Whether a person or an agent gave it; else it was derived. */
  readonly isGiven: boolean;
}

/** What the documents of a project say to the next session. What is missing is left out. */
export interface Documents {
  readonly session?: Dated<SessionDoc> | undefined;
  /** The next action of the session.md, and the last one that was given for this branch where that is another. */
  readonly next?: readonly GivenNext[] | undefined;
  /** What other sessions left at the same time, the newest first. */
  readonly left?: readonly LeftDoc[] | undefined;
  /** What of session and decisions is from the log, in a folder without a session.md. */
  readonly fromLog?: FromLog | undefined;
  /** Whether there is a session.md that cannot be read; a problem says why. */
  readonly isUnreadable?: boolean | undefined;
  /** The last ones, oldest first. */
  readonly decisions?: Dated<readonly Decision[]> | undefined;
  /** The last ones of each other machine, oldest first. */
  readonly elsewhere?: readonly Dated<readonly Decision[]>[] | undefined;
  readonly buffer?:
    | Dated<{ readonly notes: readonly Note[]; readonly candidates: readonly Candidate[] }>
    | undefined;
  readonly specs?: Dated<Specs> | undefined;
  readonly drift?: Drift | undefined;
  /** What is wrong with the documents, in sentences that name the file. */
  readonly problems?: readonly string[] | undefined;
  /** The stamp of a decisions.md that holds nothing but what was appended here. */
  readonly stamp?: string | undefined;
}

/**
 * Reads what the documents of a project, its specs and the log say to the next session. Writes nothing.
 *
 * While several sessions of agents are at work, one goes on from its own draft.
 */
export function readDocuments(site: DocumentSite, session: string | undefined): Promise<Documents> {
  return new DocumentReader(site, session).read();
}

class DocumentReader {
  readonly #site: DocumentSite;
  readonly #of: string | undefined;
  readonly #attempts = new Attempts();

  constructor(site: DocumentSite, session: string | undefined) {
    this.#site = site;
    this.#of = session;
  }

  async read(): Promise<Documents> {
    const { place } = this.#site;
    const paths = locateHandover(place);
    const found = await this.#attempts.read(() => this.#document("session.md", paths.session));
    const examined = await this.#attempts.read(() => this.#examine());
    // One that cannot be read is told of, and says nothing.
    const document = examined.isUnreadable ? undefined : place;
    const latest = await this.#attempts.read(async () => document && readLatestDecisions(document));
    const logged = found.value || found.isUnreadable ? undefined : await this.#logged(document);
    const isToldOf = found.isUnreadable || logged?.sources.session !== undefined;
    const session = found.value ?? (isToldOf ? undefined : await this.#elsewhere());
    const documents = {
      ...(session && (await this.#session(session, document))),
      ...logged?.sources,
      isUnreadable: found.isUnreadable,
      decisions: await readDecisions(this.#site, {
        path: paths.decisions,
        all: [...(logged?.decisions ?? []), ...(latest.value ?? [])],
      }),
      elsewhere: await readDecisionsElsewhere(this.#site, document),
      buffer: (await this.#attempts.read(() => this.#buffer(paths.buffer))).value,
      specs: (await this.#attempts.read(() => this.#specs())).value,
    };
    const { problems = [], notes = [], stamp } = examined.value ?? {};
    const compared = [...problems, ...notes].map(({ what, hint }) => `${what} ${hint}`);
    return { ...documents, stamp, problems: [...compared, ...this.#attempts.problems] };
  }

  async #session(
    found: KnownText,
    document: HandoverPlace | undefined,
  ): Promise<Pick<Documents, "session" | "next" | "drift" | "left">> {
    const { place, git, record, isTrusted } = this.#site;
    const { doc, problems } = parseSession(found.text);
    const session = toDated(found, doc, this.#origin(found));
    const unknown = document === undefined ? [] : await findUnknown(record, found.text, document);
    this.#tell("session.md", session, [...problems, ...unknown]);
    const left = record && (await readLeftBeside(record, found, { isTrusted }));
    if (!isOpen(session)) return { session, left };
    const drift = await findDrift(place.root, git, { doc, known: found });
    return { session, left, drift, next: await this.#next(found) };
  }

  /** Branches share one session.md: the log knows for which one an action was given, and what was given for the others. */
  async #next(found: KnownText): Promise<readonly GivenNext[]> {
    const { git, record } = this.#site;
    const here = git && ((await readCheckedOut(git)).branch ?? detachedHead);
    const next = toNext(found, here);
    if (next.branch === undefined) return [await this.#settle(next, found)];
    if (record === undefined) return [next];
    const note = await findVersion(
      new DocumentRecord(record, "session.md"),
      (each) => each.data.nextOn === here && isOwn(each),
    );
    const own =
      typeof note?.data.text === "string" ? toNext(fromNote(note.data.text, note), here) : undefined;
    return own?.isGiven ? [next, own] : [next];
  }

  /** What was given counts as derived once the user has committed other work since: the record knows the rest. */
  async #settle(next: GivenNext, { head }: KnownText): Promise<GivenNext> {
    const { git, place } = this.#site;
    const { text, at, isGiven } = next;
    if (!isGiven || at === undefined || git === undefined) return next;
    const hasCommits = head !== undefined && head !== (await readCheckedOut(git)).tip;
    return { ...next, isGiven: !(await isOvertaken(text, at, { root: place.root, hasCommits })) };
  }

  /** Where this user has left nothing, what another machine has brought tells of the work. */
  async #elsewhere(): Promise<KnownText | undefined> {
    const { record } = this.#site;
    return record && findElsewhere(new DocumentRecord(record, "session.md"));
  }

  /** In a new work tree or clone the log tells what the documents do not. */
  async #logged(document: HandoverPlace | undefined) {
    const { place, git, record, isTrusted } = this.#site;
    if (record === undefined) return undefined;
    const {
      session: known,
      left,
      fromLog,
      decisions,
    } = await readLoggedHandover(record, { isTrusted, document });
    if (known === undefined) return { sources: { fromLog }, decisions };
    const { doc } = parseSession(known.text);
    const drift = await findDrift(place.root, git, { doc, known });
    const session = toDated(known, doc, { type: "own" });
    return { sources: { session, next: await this.#next(known), drift, left, fromLog }, decisions };
  }

  /** What is wrong with a document may quote it; that a merge is unfinished is said of any. */
  #tell(name: DocumentName, dated: Dated<unknown>, problems: readonly Problem[]): void {
    for (const { code, line, message } of problems)
      if (isOpen(dated) || code === "conflict-marker")
        this.#attempts.problems.push(`${name}, line ${line}: ${message}.`);
  }

  /** Specs are never in the log: they are the repository's. */
  async #specs(): Promise<Documents["specs"]> {
    const { place, isTrusted } = this.#site;
    const { state, problems } = await readPipeline(place);
    if (state.specs.length === 0 && problems.length === 0) return undefined;
    // What is wrong with what they say may quote it.
    for (const { code, path, line, message } of problems)
      if (isTrusted || code === "unreadable")
        this.#attempts.problems.push(
          `${relative(place.sddDir, path)}, line ${line}: ${message.replace(/\.$/, "")}.`,
        );
    const origin: Origin = isTrusted
      ? { type: "own" }
      : { type: "outside", author: undefined, isTrusted: false };
    return { value: describeSpecs(state), at: undefined, origin };
  }

  async #document(name: DocumentName, path: string): Promise<KnownText | undefined> {
    const { place, git, record } = this.#site;
    const log = record && new DocumentRecord(record, name);
    const found = await readKnown(log, { root: place.root, path, git });
    return name === "session.md" && log ? chooseBasis(log, found, this.#of) : found;
  }

  async #buffer(path: string): Promise<Documents["buffer"]> {
    const found = await this.#document("buffer.md", path);
    if (found === undefined) return undefined;
    const { doc, problems } = parseBuffer(found.text);
    const origin = this.#origin(found);
    this.#tell("buffer.md", toDated(found, doc, origin), problems);
    const { record } = this.#site;
    const newest = record && (await new DocumentRecord(record, "buffer.md").newest());
    const own = withoutOthers(doc, ownNotesIn(newest));
    if (origin.type === "own" || origin.isTrusted || own.doc.notes.length === 0)
      return toDated(found, doc, origin);
    if (own.others === 0) return { value: own.doc, at: newest?.at, origin: { type: "own" } };
    const some = { count: own.others, at: found.at };
    return { value: own.doc, at: newest?.at, origin: { ...origin, some } };
  }

  #origin(known: KnownText): Origin {
    const { isTrusted } = this.#site;
    // What others wrote and was only carried forward is not marked any more once they are trusted.
    const stranger = isTrusted ? known.outside : strangerIn(known);
    if (stranger === undefined) return { type: "own" };
    return { type: "outside", author: stranger.author ?? undefined, isTrusted };
  }

  /** Says whether decisions.md is what was written here. */
  #examine(): Promise<StampedFindings> {
    const { record, place } = this.#site;
    return record === undefined
      ? examineDecisions(record, place, "decisions.md")
      : examineForBrief(record, place);
  }
}

function toNext(known: KnownText, here: string | undefined): GivenNext {
  const text = parseSession(known.text).doc.nextAction;
  const { on, at } = whereNext(known);
  const from = known.note?.data.nextFrom ?? (isDerivedAction(text) ? "pipeline" : "user");
  const isElsewhere = here !== undefined && on !== undefined && on !== here;
  return { text, at, branch: isElsewhere ? on : undefined, isGiven: from === "user" };
}

function toDated<Value>({ at }: KnownText, value: Value, origin: Origin): Dated<Value> {
  return { value, at, origin };
}

function describeSpecs(state: PipelineState): Specs {
  const { specs } = state;
  return {
    next: nextAction(state),
    reviews: specs.flatMap(({ name, latest }) =>
      (latest?.tracked ?? []).map((finding) => `${name} [${latest?.id}]: ${finding}`),
    ),
    phases: (isRoadmapActive(state) ? specs : []).map(({ name, phase, wave, blocked }) => {
      const why = blocked === undefined || phase !== "blocked" ? "" : ` by ${blocked.by}: ${blocked.reason}`;
      return `${name}${wave === null ? "" : `, wave ${wave}`}: ${phase}${why}`;
    }),
  };
}
