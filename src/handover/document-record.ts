import type { JsonObject } from "../sessions/entry.ts";
import {
  addToRecord,
  type ProjectRecord,
  type RecordSite,
  readOthersRecords,
  readRecord,
} from "../sessions/project-record.ts";

export type { RecordSite } from "../sessions/project-record.ts";

/** The documents that are written down in the log. */
export type DocumentName = "session.md" | "decisions.md" | "buffer.md";

/** Something that was written down: what happened to the document, when, and what is to be known of it. */
export interface RecordedEvent {
  readonly event: string;
  readonly at: Date;
  readonly data: JsonObject;
}

/** What Carryon has written down of one document of a project. */
export class DocumentRecord {
  readonly #record: ProjectRecord;

  constructor(site: RecordSite, document: DocumentName) {
    const prefix = `handover-${document.replace(/\.md$/, "")}-`;
    this.#record = { site, prefix, title: document };
  }

  /** Writes something down. When it returns, it is on disk. */
  async add(event: string, data: JsonObject): Promise<void> {
    await addToRecord(this.#record, { kind: "event", event, data });
  }

  /** Yields the newest notes, at most so many, oldest first; all of them unless told. */
  async *read(last?: number): AsyncGenerator<RecordedEvent> {
    for await (const entry of readRecord(this.#record, last))
      if (entry.kind === "event") yield { event: entry.event, at: entry.at, data: entry.data };
  }

  /** Returns the newest notes that came from other machines, oldest first. */
  async readOthers(last: number): Promise<readonly (RecordedEvent & { readonly machine: string })[]> {
    const found = await readOthersRecords(this.#record, last);
    return found.flatMap(({ entry, machine }) =>
      entry.kind === "event" ? [{ event: entry.event, at: entry.at, data: entry.data, machine }] : [],
    );
  }

  /** Returns the newest note. */
  async newest(): Promise<RecordedEvent | undefined> {
    const { value } = await this.read(1).next();
    return value ?? undefined;
  }
}

/** Returns the texts of a list that was written down; none where there is no list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
