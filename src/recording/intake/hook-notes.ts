import type { Link } from "../../clients/claude-code/links.ts";
import type { EntryId, SessionId } from "../../sessions/ids.ts";
import type { Ingestion, Source } from "../../sessions/ingestion.ts";
import type { TurnSpan } from "./moments.ts";

/** What is remembered of what hooks saw of a session: plain JSON, whose size has a limit. */
export interface HookNotes {
  /** Observations that were not in the transcript yet, newest last. */
  readonly outstanding: readonly (readonly [link: Link, entry: EntryId])[];
  /** The event with the latest time. */
  readonly last: { readonly event: string; readonly atMs: number } | null;
  /** The last turn that was over. */
  readonly turn: TurnSpan | null;
}

/** Where the notes of a session are kept: beside how far its transcripts were read. */
export interface StoredNotes {
  readonly source: Source;
  readonly revision: number;
  readonly notes: HookNotes;
}

export const noNotes: HookNotes = { outstanding: [], last: null, turn: null };

/** Reads what is remembered of what hooks saw of a session. */
export async function readHookNotes(ingestion: Ingestion, session: SessionId): Promise<StoredNotes> {
  const source: Source = { client: "claude-code", path: `hooks/${session}` };
  const bookmark = await ingestion.find(source);
  if (bookmark === undefined) return { source, revision: 0, notes: noNotes };
  return {
    source,
    revision: bookmark.revision,
    notes: { ...noNotes, ...JSON.parse(await bookmark.state()) },
  };
}
