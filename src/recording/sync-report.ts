import type { EntryId, SessionId } from "../sessions/ids.ts";
import type { DeletedWork } from "./deleted-work.ts";

/** What a sync did and what it could not read. */
export interface SyncReport {
  /** Transcripts that were looked at. */
  readonly transcripts: number;
  /** Transcripts of which something new was read. */
  readonly changed: number;
  /** Transcripts that were left out, because of their age or their project, or because their session was deleted. */
  readonly leftOut: number;
  /** Sessions that are new in the store, and how many of them are forks. */
  readonly sessions: number;
  readonly forks: number;
  /** Entries that are new in the store. */
  readonly added: number;
  /** Entries that were read and are in the store already. */
  readonly known: number;
  /** What hooks had told of and was dealt with. */
  readonly items: number;
  /** What went on in clients after its session was deleted here, and was left out. */
  readonly deleted: readonly DeletedWork[];
  readonly rejected: readonly RejectedLine[];
  readonly revised: readonly RevisedEntry[];
  readonly orphans: readonly OrphanEntry[];
  /** Row types that this version does not know, and of which nothing was recorded; how often each. */
  readonly unknown: Readonly<Record<string, number>>;
  readonly failed: readonly Failed[];
  /** The session.md files that were brought up to date. */
  readonly drafted: readonly DraftedSession[];
  /** The buffer.md files that have new notes. */
  readonly noted: readonly TakenNotes[];
  /** The folders of knowledge that notes were moved to, because a wave of specs was completed. */
  readonly flushed: readonly TakenNotes[];
  /** The documents that could not be written. */
  readonly unwritten: readonly Failed[];
}

/** A line that holds no row. */
interface RejectedLine {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

/** A row that came again with other content. */
interface RevisedEntry {
  readonly session: SessionId;
  readonly entry: EntryId;
  /** Whether its new content is an entry of its own, or only the first is kept because the file was written anew. */
  readonly kept: "both" | "first";
}

/** A row whose parent is not in the transcript, so that it begins a new root. */
interface OrphanEntry {
  readonly session: SessionId;
  readonly entry: EntryId;
  readonly parent: string;
}

/** A session.md that was drafted because of what happened in a session. */
interface DraftedSession {
  readonly path: string;
  readonly session: SessionId;
  readonly trigger: "command-completed" | "pipeline-stopped" | "work-changed";
}

/** Where there are new notes, and how many. */
interface TakenNotes {
  readonly path: string;
  readonly session: SessionId;
  readonly notes: number;
}

/** A file that could not be read or written. */
interface Failed {
  readonly path: string;
  readonly code: string;
  readonly reason: string;
}

/** What is found out of one transcript after another. */
export class SyncTally {
  transcripts = 0;
  changed = 0;
  leftOut = 0;
  sessions = 0;
  forks = 0;
  added = 0;
  known = 0;
  items = 0;
  readonly deleted: DeletedWork[] = [];
  readonly rejected: RejectedLine[] = [];
  readonly revised: RevisedEntry[] = [];
  readonly orphans: OrphanEntry[] = [];
  readonly failed: Failed[] = [];
  readonly drafted: DraftedSession[] = [];
  readonly noted: TakenNotes[] = [];
  readonly flushed: TakenNotes[] = [];
  readonly unwritten: Failed[] = [];
  readonly #unknown = new Map<string, number>();

  countUnknown(type: string): void {
    this.#unknown.set(type, (this.#unknown.get(type) ?? 0) + 1);
  }

  get report(): SyncReport {
    const { transcripts, changed, leftOut, sessions, forks, added, known, items } = this;
    const { deleted, rejected, revised, orphans, failed, drafted, noted, flushed, unwritten } = this;
    return {
      ...{ transcripts, changed, leftOut, sessions, forks, added, known, items },
      ...{ deleted, rejected, revised, orphans, failed, drafted, noted, flushed, unwritten },
      unknown: Object.fromEntries([...this.#unknown].toSorted()),
    };
  }
}
