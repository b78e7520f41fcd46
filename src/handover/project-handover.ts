import { type GitFacts, readCheckedOut } from "../git/git-facts.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { readDocument } from "../lib/markdown/read-document.ts";
import { type RandomSource, systemRandom } from "../lib/uuid-v7.ts";
import { parseSessionId } from "../sessions/ids.ts";
import { chooseHandoverPlace, type HandoverPlace } from "../workspace/choose-handover-place.ts";
import { isSurelyTrusted } from "../workspace/trust.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ChangedBuffer } from "./buffer/change-buffer.ts";
import { hideGiven } from "./buffer/hide-given.ts";
import { decide } from "./decide.ts";
import { type Decision, type NewDecision, toDecisionText } from "./decision.ts";
import { restoreDecisions } from "./decisions/append-decision.ts";
import type { FoundDecision } from "./decisions/parse-decisions.ts";
import { DocumentRecord, type RecordSite, readVersions, type Version } from "./document-record.ts";
import { keepOutOfCommits } from "./documents-in-commits.ts";
import { type DecisionQuery, findDecisions } from "./find-decisions.ts";
import {
  begin,
  type DraftRequest,
  draft,
  type FollowedMoment,
  findCall,
  followMoment,
  type Moment,
} from "./follow-moment.ts";
import { locateHandover, type OpenHandover, openHandover } from "./handover-folder.ts";
import type { Note } from "./note.ts";
import { dismiss, type Flush, flush, takeNotes, withoutFlushed } from "./notes.ts";
import { readPipelineNews } from "./pipeline/read-pipeline.ts";
import {
  answerPolish,
  type BegunPolish,
  beginPolish,
  endPolish,
  type Polished,
  type PolishRequest,
  refuseUnexplained,
} from "./polish.ts";
import type { RecordedWork } from "./recorded-work.ts";
import type { SessionDesk, SessionRequest, WrittenSession } from "./session-work.ts";
import { findWaiting } from "./wait-for-trust.ts";

/** How long to wait for others. Each is quick, but there may be many. */
const patienceMs = 60_000;

const hiddenSecret = "What looks like a secret was not written; [redacted:…] stands in its place.";

/** Who changes the documents, and when. */
export interface HandoverAuthor {
  /** The name of this machine. */
  readonly machine: string;
  readonly clock?: Clock;
  readonly random?: RandomSource;
  /** Is told, on one line, what is not as it should be and stops nothing. */
  readonly warn?: ((warning: string) => void) | undefined;
  /** How many milliseconds to wait for others who change them: a minute, unless told. */
  readonly wait?: number | undefined;
}

/** What became of a session that was handed over. */
export interface HandedOver extends Polished, Omit<BegunPolish, "doc" | "suggestions"> {
  /** The entry that says so. */
  readonly end: Decision;
}

/** A handover that is under way. */
export interface OpenPolish extends BegunPolish {
  /** Writes answers down; they are on disk when it returns. */
  answer(answers: PolishRequest): Promise<Polished>;
  /** Says that the session is over. */
  finish(): Promise<Decision>;
}

/** The handover documents of a project. */
export class ProjectHandover {
  readonly #site: RecordSite;
  readonly #place: HandoverPlace;
  readonly #git: GitFacts | undefined;
  readonly #home: string;
  readonly #warn: HandoverAuthor["warn"];
  readonly #wait: number;
  #warned: string | undefined;

  constructor(
    site: RecordSite,
    place: HandoverPlace,
    { git, home, warn, wait }: Pick<Workspace, "git" | "home"> & Pick<HandoverAuthor, "warn" | "wait">,
  ) {
    this.#site = site;
    this.#place = place;
    this.#git = git;
    this.#home = home;
    this.#warn = warn;
    this.#wait = wait ?? patienceMs;
  }

  /** Where the documents are. */
  get paths(): ReturnType<typeof locateHandover> {
    return locateHandover(this.#place);
  }

  /** Appends a decision and returns it with its number. When it returns, it is on disk, in the document and in the log. */
  async decide(draft: NewDecision): Promise<Decision> {
    // Before anything is made on disk.
    toDecisionText(draft);
    const given = this.#hide(draft);
    return this.#change(async (handover) => {
      const git = given.type === "SESSION_START" ? this.#git : undefined;
      const head = git && (await readCheckedOut(git)).tip;
      return decide(this.#site, handover, given, { head });
    });
  }

  /** Appends those decisions again that were written here and are gone from the document, and returns their numbers. */
  async restoreDecisions(): Promise<readonly number[]> {
    const restored = await this.#change((handover) => restoreDecisions(this.#site, handover));
    return restored.map(({ seq }) => seq);
  }

  /** Returns decisions in the order of the document. */
  decisions(query: DecisionQuery = {}): Promise<readonly FoundDecision[]> {
    return findDecisions(this.#place, query);
  }

  /**
   * Says in decisions.md, once, that an agent's session has begun; undefined when that is known already. Who has read the
   * documents just now gives the stamp that they had, so that decisions.md is not read again.
   */
  async begin(
    session: string,
    { stamp: examined }: { readonly stamp?: string | undefined } = {},
  ): Promise<Decision | undefined> {
    const id = parseSessionId(session);
    return this.#change(async (handover) => begin(await this.#desk(handover), id, { examined }));
  }

  /** Brings session.md up to what is known, without a person. With nothing new nothing is written. */
  draft(request: DraftRequest = {}): Promise<WrittenSession> {
    const safe = this.#hide(request);
    return this.#change(async (handover) => draft(await this.#desk(handover), safe));
  }

  /**
   * Drafts session.md if a moment in a session calls for it; undefined when nothing does. The same moment counts once.
   * The recorded work is read only for a draft.
   */
  async follow(
    moment: Moment,
    readWork?: () => Promise<RecordedWork | undefined>,
  ): Promise<FollowedMoment | undefined> {
    const call = await findCall({ site: this.#site, place: this.#place, git: this.#git }, moment);
    // Where nothing is to be written, no folder is made for it.
    if (call === undefined || (await this.#waitsForTrust())) return undefined;
    const work = await readWork?.();
    return this.#change(async (handover) =>
      followMoment(await this.#desk(handover), moment, { ...call, work }),
    );
  }

  /**
   * Hands a session over: the session.md of before is archived, the new one is what a person has gone over, and
   * decisions.md says that the session is over.
   */
  async polish(given: PolishRequest = {}): Promise<HandedOver> {
    refuseUnexplained(given);
    const request = this.#hide(given);
    return this.#change(async (handover) => {
      const desk = await this.#desk(handover);
      const before = await this.#readSession();
      const { archive, summary } = await beginPolish(desk, request);
      const polished = await answerPolish(desk, request);
      const end = await endPolish(desk);
      // Each step knows only what the one before it has left.
      const isChanged = (await this.#readSession()) !== before;
      return { ...polished, isChanged, archive, summary, end };
    });
  }

  /**
   * Begins to hand a session over to whom questions are to be asked. The documents are whole after each step, and
   * nobody else is kept from them in between.
   */
  async openPolish(request: SessionRequest = {}): Promise<OpenPolish> {
    const locked = <Result>(work: (desk: SessionDesk) => Promise<Result>) =>
      this.#change(async (handover) => work(await this.#desk(handover)));
    const begun = await locked((desk) => beginPolish(desk, request));
    return {
      ...begun,
      answer: async (answers) => {
        refuseUnexplained(answers);
        const safe = this.#hide(answers);
        return locked((desk) => answerPolish(desk, { ...request, ...safe }));
      },
      finish: () => locked(endPolish),
    };
  }

  /** Returns the versions of session.md that were written or found here, oldest first. */
  history(): Promise<readonly Version[]> {
    return readVersions(new DocumentRecord(this.#site, "session.md"));
  }

  /** Adds notes to buffer.md, each once, and returns those that are new with the candidates that they made. */
  async note(notes: readonly Note[]): Promise<Omit<ChangedBuffer, "text">> {
    if (notes.length === 0) return { added: [], candidates: [] };
    const safe = this.#hide(notes);
    return this.#change(async (handover) => takeNotes(await this.#desk(handover), safe));
  }

  /** Adds what was learned at a moment to buffer.md, each once; what was flushed since does not come back. */
  async learn(notes: readonly Note[], at: Date): Promise<readonly Note[]> {
    if (notes.length === 0 || (await this.#waitsForTrust())) return [];
    // As they were written when they were taken.
    return (await this.note(await withoutFlushed(this.#site, hideGiven(notes), at))).added;
  }

  /** Moves the notes of buffer.md into the knowledge of the project. */
  async flush(): Promise<Flush> {
    if (!(await this.#hasBuffer())) return { notes: [], files: [] };
    return this.#change(async (handover) => flush(await this.#desk(handover)));
  }

  /** Moves the notes into the knowledge if a wave of specs was completed since a moment. */
  async flushAfterWave(since: Date): Promise<Flush> {
    const { hasCompletedWave } = await readPipelineNews({ place: this.#place, site: this.#site }, since);
    const isCalledFor = hasCompletedWave && !(await this.#waitsForTrust());
    return isCalledFor ? this.flush() : { notes: [], files: [] };
  }

  /** Takes a candidate out of buffer.md, for good; returns whether there was one of this name, in whatever case. */
  async dismiss(name: string): Promise<boolean> {
    return (
      (await this.#hasBuffer()) && this.#change(async (handover) => dismiss(await this.#desk(handover), name))
    );
  }

  /** Takes the secrets out of what was said, and says so. */
  #hide<Given>(given: Given): Given {
    const safe = hideGiven(given);
    if (safe !== given) this.#warn?.(hiddenSecret);
    return safe;
  }

  async #desk(handover: OpenHandover): Promise<SessionDesk> {
    // What is written does not wait for a list of trusted projects that can be read; the brief says what is wrong.
    const isTrusted = await isSurelyTrusted(this.#home, this.#site.project);
    return { site: this.#site, git: this.#git, handover, isTrusted };
  }

  /** Tells whether nothing is written that nobody asked for: others wrote documents, and the project is not trusted. */
  async #waitsForTrust(): Promise<boolean> {
    const here = { site: this.#site, place: this.#place, git: this.#git };
    return (await findWaiting(this.#home, here)).length > 0;
  }

  #readSession(): Promise<string | undefined> {
    return readDocument(this.#place.root, this.paths.session);
  }

  async #hasBuffer(): Promise<boolean> {
    return (await readDocument(this.#place.root, this.paths.buffer)) !== undefined;
  }

  /** Several changes in a row are warned of once. */
  async #keepOutOfCommits(): Promise<void> {
    const warning = await keepOutOfCommits(this.#git, this.#place);
    if (warning !== undefined && warning !== this.#warned) this.#warn?.(warning);
    this.#warned = warning;
  }

  /** Changes documents while nobody else does. */
  async #change<Result>(work: (handover: OpenHandover) => Promise<Result>): Promise<Result> {
    await this.#keepOutOfCommits();
    const handover = await openHandover(this.#place, { wait: this.#wait });
    try {
      return await work(handover);
    } finally {
      await handover.release();
    }
  }
}

/** Returns the handover documents of a project; those of one that was opened for reading can only be read. */
export async function openProjectHandover(
  here: Pick<Workspace, "store" | "project" | "root" | "git" | "home"> & HandoverAuthor,
): Promise<ProjectHandover> {
  const { store, project, root, git, home, machine, warn, wait } = here;
  const { clock = systemClock, random = systemRandom } = here;
  const site = { log: store.log, project, root, machine, clock, random };
  return new ProjectHandover(site, await chooseHandoverPlace(here), { git, home, warn, wait });
}
