import { sha256 } from "../../conversation/chain.ts";
import type { ConversationLog } from "../../conversation/conversation-log.ts";
import type { Entry, EventContent, JsonObject } from "../../conversation/entry.ts";
import { makeEntryId, parseSessionId, type SessionId } from "../../conversation/ids.ts";
import type { Project } from "../../conversation/project.ts";
import { recordClient, type Session } from "../../conversation/session.ts";
import type { Clock } from "../../lib/clock.ts";
import type { RandomSource } from "../../lib/uuid-v7.ts";

/** The documents that are written down in the log. */
export type DocumentName = "session.md" | "decisions.md" | "buffer.md";

/** Where documents are written down, and by whom. */
export interface RecordSite {
  readonly log: ConversationLog;
  readonly project: Project;
  /** The top of the project's folder. */
  readonly root: string;
  readonly machine: string;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Something that was written down: what happened to the document, when, and what is to be known of it. */
export interface RecordedEvent {
  readonly event: string;
  readonly at: Date;
  readonly data: JsonObject;
}

/** What Carryon has written down of one document of a project: a session of the log that is no session of work. */
export class DocumentRecord {
  readonly #site: RecordSite;
  readonly #document: DocumentName;

  constructor(site: RecordSite, document: DocumentName) {
    this.#site = site;
    this.#document = document;
  }

  /** Writes something down. When it returns, it is on disk. */
  async add(event: string, data: JsonObject): Promise<void> {
    const { log, project, root, machine, clock, random } = this.#site;
    const at = clock.now();
    const entry = { kind: "event", event, data, id: makeEntryId(at, random), at } as const;
    const [known] = await this.#find();
    if (known !== undefined) {
      await log.append(known.id, [entry]);
      return;
    }
    const start = { id: this.#idFor(project), project: project.id, client: recordClient, machine };
    const title = `${this.#document} of ${project.name}`;
    await log.open({ ...start, cwd: root, startedAt: at, title }, [entry]);
  }

  /** Yields the newest notes, at most so many, oldest first; all of them unless told. */
  async *read(last?: number): AsyncGenerator<RecordedEvent> {
    const records = await this.#find();
    for (const { id } of last === undefined ? records.toReversed() : records.slice(0, 1)) {
      for await (const entry of this.#site.log.read(id, last === undefined ? {} : { from: -last }))
        if (isEvent(entry)) yield { event: entry.event, at: entry.at, data: entry.data };
    }
  }

  /** Returns the newest note. */
  async newest(): Promise<RecordedEvent | undefined> {
    const { value } = await this.read(1).next();
    return value ?? undefined;
  }

  /** There may be several, when two projects have proved to be one. The newest comes first. */
  async #find(): Promise<readonly Session[]> {
    const { log, project } = this.#site;
    const { sessions } = await log.list({ project: project.id, client: recordClient, limit: 200 });
    return sessions.filter(({ id }) => id.startsWith(prefixOf(this.#document)));
  }

  #idFor({ id }: Project): SessionId {
    return parseSessionId(`${prefixOf(this.#document)}${sha256(id).slice(0, 24)}`);
  }
}

function prefixOf(document: DocumentName): string {
  return `handover-${document.replace(/\.md$/, "")}-`;
}

/** Returns the texts of a list that was written down; none where there is no list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function isEvent(entry: Entry): entry is Entry & EventContent {
  return entry.kind === "event";
}
