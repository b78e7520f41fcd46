import type { TranscriptFile } from "../clients/claude-code/locate.ts";
import { readTranscript } from "../clients/claude-code/read-transcript.ts";
import { absorb } from "../clients/claude-code/to-entries.ts";
import { startTranscript } from "../clients/claude-code/transcript-state.ts";
import { FileError } from "../lib/file-error.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Ingestion } from "../sessions/ingestion.ts";

/** What went on in a client after its session was deleted here: it is not recorded. */
export interface DeletedWork {
  readonly session: SessionId;
  /** How many entries would have been made of it. */
  readonly entries: number;
}

/** Returns what was done in deleted sessions since, of those that have a transcript among these. */
export async function findDeletedWork(
  ingestion: Ingestion,
  files: readonly TranscriptFile[],
): Promise<readonly DeletedWork[]> {
  const deletions = await ingestion.deletions("claude-code");
  const found: DeletedWork[] = [];
  for (const file of files) {
    const deletedAt = deletions.get(file.session);
    const entries = deletedAt === undefined ? 0 : await unlessUnreadable(countSince(file, deletedAt));
    if (entries > 0) found.push({ session: file.session, entries });
  }
  return found;
}

/** Sync tells of a transcript that cannot be read. */
async function unlessUnreadable(counted: Promise<number>): Promise<number> {
  try {
    return await counted;
  } catch (error) {
    if (error instanceof FileError) return 0;
    throw error;
  }
}

/** Counts what a transcript says that happened after a moment. */
export async function countSince({ path, session, mtime }: TranscriptFile, since: Date): Promise<number> {
  // Most are not written to any more, and need not be read.
  if (mtime <= since) return 0;
  let state = startTranscript(session);
  let count = 0;
  for await (const { rows } of readTranscript(path)) {
    const absorbed = absorb(state, rows);
    state = absorbed.state;
    count += absorbed.entries.filter(({ at }) => at > since).length;
  }
  return count;
}
