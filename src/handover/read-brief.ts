import { relative } from "node:path";
import type { GitFacts } from "../git/git-facts.ts";
import { AppError } from "../lib/app-error.ts";
import type { Blocker } from "../work/blocker.ts";
import { findStandingBlocker, findUnsavedTasks, withStandingTasks } from "../work/standing-work.ts";
import { readState } from "../work/state-store.ts";
import type { WorkDesk } from "../work/work-desk.ts";
import { WorkRecord } from "../work/work-record.ts";
import type { WorkState } from "../work/work-state.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { readDecisions, readDecisionsElsewhere } from "./brief/brief-decisions.ts";
import { type BriefSources, composeBrief, type Dated, type Origin } from "./brief/compose-brief.ts";
import { findDrift } from "./brief/find-drift.ts";
import { readLeftBeside, readLoggedHandover } from "./brief/read-logged-handover.ts";
import { parseBuffer } from "./buffer/buffer-doc.ts";
import { ownNotesIn, withoutOthers } from "./buffer/own-notes.ts";
import type { FoundDecision } from "./decisions/parse-decisions.ts";
import { readLastDecisions } from "./decisions/read-last-decisions.ts";
import { type DocumentName, DocumentRecord, type RecordSite } from "./document-record.ts";
import type { EarlierWork } from "./earlier-work.ts";
import { examineDecisions } from "./examine-decisions.ts";
import { locateHandover } from "./handover-folder.ts";
import { parseSession } from "./parse-session.ts";
import { readPipeline } from "./pipeline/read-pipeline.ts";
import type { Problem } from "./problem.ts";
import { type Brief, renderBrief } from "./render-brief.ts";
import { findUnknown } from "./session/find-unknown.ts";
import {
  chooseBasis,
  findElsewhere,
  type KnownText,
  readKnown,
  strangerIn,
} from "./session/session-basis.ts";

/** How many tokens a brief may have unless told. */
export const usualBudget = 1500;

/** Whose brief it is, and how long it may be. */
export interface BriefRequest {
  /** The agent's session that is to go on; while several are at work, it goes on from its own draft. */
  readonly session?: string | undefined;
  /** The most tokens. */
  readonly budget?: number | undefined;
  /** What is to be said of gates. */
  readonly gates?: string | undefined;
  /** The other sessions that live on this project and branch. */
  readonly others?: readonly string[] | undefined;
  /** The work of earlier sessions. */
  readonly earlier?: EarlierWork | undefined;
  /** The words that run Carryon in the reader's shell; `carryon` unless given. */
  readonly command?: string | undefined;
}

/** Where a brief is made. */
export interface BriefSite {
  readonly place: HandoverPlace;
  readonly git: GitFacts | undefined;
  /** What this user's log knows; undefined where nothing was ever recorded. */
  readonly record: RecordSite | undefined;
  /** Whether the user trusts the project: only then counts what others wrote. */
  readonly isTrusted: boolean;
  readonly now: Date;
  /** Where the work stands; undefined where nothing was ever recorded. */
  readonly desk?: WorkDesk | undefined;
}

/** Reads all that the next session must know, and returns it most important first. Writes nothing. */
export async function readBrief(site: BriefSite, request: BriefRequest = {}): Promise<Brief> {
  const reader = new BriefReader(site, request.session);
  const { gates, others, earlier, command, budget = usualBudget } = request;
  const sources = { ...(await reader.read()), gates, others, earlier };
  return renderBrief(composeBrief(sources), { budget, command, now: site.now });
}

/** Reads the documents one after the other; one that cannot be read is told of and hides no other. */
class BriefReader {
  readonly #site: BriefSite;
  readonly #of: string | undefined;
  readonly #problems: string[] = [];

  constructor(site: BriefSite, session: string | undefined) {
    this.#site = site;
    this.#of = session;
  }

  async read(): Promise<BriefSources> {
    const { place, now } = this.#site;
    const paths = locateHandover(place);
    const found = await this.#trying(() => this.#document("session.md", paths.session));
    const all = await this.#trying(() => readLastDecisions(place, Number.POSITIVE_INFINITY));
    const logged = found.value || found.isUnreadable ? undefined : await this.#logged(all.value ?? []);
    const isToldOf = found.isUnreadable || logged?.sources.session !== undefined;
    const session = found.value ?? (isToldOf ? undefined : await this.#elsewhere());
    const sources = {
      now,
      ...(session && (await this.#session(session, all.value))),
      ...logged?.sources,
      isUnreadable: found.isUnreadable,
      decisions: await readDecisions(this.#site, {
        path: paths.decisions,
        all: [...(logged?.decisions ?? []), ...(all.value ?? [])],
      }),
      elsewhere: await readDecisionsElsewhere(this.#site, all.value ?? []),
      buffer: (await this.#trying(() => this.#buffer(paths.buffer))).value,
      pipeline: (await this.#trying(() => this.#pipeline())).value,
      ...(await this.#work()),
    };
    // One that cannot be read is told of already.
    const compared = all.isUnreadable ? [] : await this.#compare();
    return { ...sources, problems: [...new Set([...compared, ...this.#problems])] };
  }

  async #session(
    found: KnownText,
    all: readonly FoundDecision[] | undefined,
  ): Promise<Pick<BriefSources, "session" | "drift" | "left">> {
    const { place, git, record, isTrusted } = this.#site;
    const { doc, problems } = parseSession(found.text);
    const session = toDated(found, doc, this.#origin(found));
    const known = all && new Set(all.map(({ seq }) => seq));
    const unknown = known === undefined ? [] : await findUnknown(record, found.text, known);
    this.#tell("session.md", session, [...problems, ...unknown]);
    const left = record && (await readLeftBeside(record, found, { isTrusted }));
    if (!isOpen(session)) return { session, left };
    return { session, left, drift: await findDrift(place.root, git, { doc, known: found }) };
  }

  /** Where this user has left nothing, what another machine has brought tells of the work. */
  async #elsewhere(): Promise<KnownText | undefined> {
    const { record } = this.#site;
    return record && findElsewhere(new DocumentRecord(record, "session.md"));
  }

  /** In a new work tree or clone the log tells what the documents do not. */
  async #logged(here: readonly FoundDecision[]) {
    const { place, git, record, isTrusted } = this.#site;
    if (record === undefined) return undefined;
    const {
      session: known,
      left,
      fromLog,
      decisions,
    } = await readLoggedHandover(record, { isTrusted, here });
    if (known === undefined) return { sources: { fromLog }, decisions };
    const { doc } = parseSession(known.text);
    const drift = await findDrift(place.root, git, { doc, known });
    return { sources: { session: toDated(known, doc, { type: "own" }), drift, left, fromLog }, decisions };
  }

  /** What is wrong with a document may quote it; that a merge is unfinished is said of any. */
  #tell(name: DocumentName, dated: Dated<unknown>, problems: readonly Problem[]): void {
    for (const { code, line, message } of problems)
      if (isOpen(dated) || code === "conflict-marker")
        this.#problems.push(`${name}, line ${line}: ${message}.`);
  }

  /** Specs are never in the log: they are the repository's. */
  async #pipeline(): Promise<BriefSources["pipeline"]> {
    const { place, now, isTrusted } = this.#site;
    const { state, problems } = await readPipeline(place);
    if (state.specs.length === 0 && problems.length === 0) return undefined;
    // What is wrong with what they say may quote it.
    for (const { code, path, line, message } of problems)
      if (isTrusted || code === "unreadable")
        this.#problems.push(`${relative(place.sddDir, path)}, line ${line}: ${message.replace(/\.$/, "")}.`);
    if (isTrusted) return { value: state, at: now, origin: { type: "own" } };
    return { value: state, at: undefined, origin: { type: "outside", author: undefined, isTrusted } };
  }

  /** What was saved, and what has become of it since as the log tells. */
  async #work(): Promise<WorkSources> {
    const { desk } = this.#site;
    const { value: work } = await this.#trying(() => this.#saved());
    if (work === undefined) return this.#unsaved();
    const saved = isOpen(work) ? work.value : undefined;
    if (desk === undefined) return { work, blocker: saved?.blocker ?? undefined };
    const blocker = await this.#standing(desk, saved);
    const standing = saved && (await this.#trying(() => withStandingTasks(desk, saved))).value;
    return { work: { ...work, value: standing ?? work.value }, blocker };
  }

  /** Where nothing was saved here, what another machine has brought tells where the work stands there. */
  async #unsaved(): Promise<WorkSources> {
    const { desk, isTrusted } = this.#site;
    const { value: work } = await this.#trying(() => this.#savedElsewhere());
    const stopped = work?.value.blocker ? { ...work, value: work.value.blocker } : undefined;
    if (desk === undefined) return { work, stopped };
    const blocker = await this.#standing(desk, undefined);
    const { value: tasks } = await this.#trying(() => findUnsavedTasks(desk, { isTrusted }));
    return { work, stopped, blocker, tasks };
  }

  async #standing(desk: WorkDesk, saved: WorkState | undefined): Promise<Blocker | undefined> {
    return (await this.#trying(() => findStandingBlocker(desk, saved))).value ?? undefined;
  }

  /** The state is of this user when the log has it as it is. */
  async #saved(): Promise<BriefSources["work"]> {
    const { place, record, isTrusted } = this.#site;
    const found = await readState(place.root);
    if (found.type !== "state") return undefined;
    const { state: value } = found;
    const isOwn = record !== undefined && (await new WorkRecord(record).knows(value));
    const origin: Origin = isOwn ? { type: "own" } : { type: "outside", author: undefined, isTrusted };
    return { value, at: value.savedAt, origin };
  }

  async #savedElsewhere(): Promise<BriefSources["work"]> {
    const { record, isTrusted } = this.#site;
    const found = record && (await new WorkRecord(record).newestElsewhere());
    if (found === undefined) return undefined;
    const { state: value, machine: author } = found;
    return { value, at: value.savedAt, origin: { type: "outside", author, isTrusted } };
  }

  async #document(name: DocumentName, path: string): Promise<KnownText | undefined> {
    const { place, git, record } = this.#site;
    const log = record && new DocumentRecord(record, name);
    const found = await readKnown(log, { root: place.root, path, git });
    return name === "session.md" && log ? chooseBasis(log, found, this.#of) : found;
  }

  async #buffer(path: string): Promise<BriefSources["buffer"]> {
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
  async #compare(): Promise<readonly string[]> {
    const { record, place } = this.#site;
    const { value } = await this.#trying(() => examineDecisions(record, place, "decisions.md"));
    return [...(value?.problems ?? []), ...(value?.notes ?? [])].map(({ what, hint }) => `${what} ${hint}`);
  }

  async #trying<Value>(read: () => Promise<Value>): Promise<Tried<Value>> {
    try {
      return { value: await read(), isUnreadable: false };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#problems.push(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
      return { value: undefined, isUnreadable: true };
    }
  }
}

type WorkSources = Pick<BriefSources, "work" | "stopped" | "blocker" | "tasks">;

/** Tells whether what a document says may be told. */
function isOpen({ origin }: Dated<unknown>): boolean {
  return origin.type === "own" || origin.isTrusted;
}

/** What was read, or that it could not be. */
interface Tried<Value> {
  readonly value: Value | undefined;
  readonly isUnreadable: boolean;
}

function toDated<Value>({ at }: KnownText, value: Value, origin: Origin): Dated<Value> {
  return { value, at, origin };
}
