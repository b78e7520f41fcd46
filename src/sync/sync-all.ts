import { listTranscripts, locateTranscript, type TranscriptFile } from "../clients/claude-code/locate.ts";
import { isJsonObject, textOf } from "../clients/claude-code/wire.ts";
import type { Inbox } from "../conversation/inbox.ts";
import { settleSessions } from "./settle-sessions.ts";
import type { SyncTally } from "./sync-report.ts";
import type { SyncSite } from "./sync-site.ts";
import { syncTranscripts, type TranscriptChoice } from "./sync-transcripts.ts";
import { takeInbox } from "./take-inbox.ts";

export interface SyncOptions extends TranscriptChoice {
  /** The client's folder: see `locateClient`. */
  readonly client: string;
  /** Only sessions that began in this folder or below it, and those that hooks have told of. */
  readonly below?: string;
}

/**
 * Takes in what Claude Code wrote and what its hooks saw. One process at a time may do so.
 *
 * Transcripts come first: what they hold need not be recorded a second time from what hooks saw.
 */
export async function syncAll(site: SyncSite, options: SyncOptions, tally: SyncTally): Promise<void> {
  const pending = await readPending(site.inbox);
  const files = await listTranscripts(options.client, options.below);
  const others = await locatePending(pending, files);
  await syncTranscripts(site, [...files, ...others], new Set(pending.keys()), options, tally);
  await takeInbox(site, tally);
  await settleSessions(site);
}

const pageSize = 500;

/** Returns the sessions that hooks have told of, and where their transcripts are. */
async function readPending(inbox: Inbox): Promise<ReadonlyMap<string, string | undefined>> {
  const pending = new Map<string, string | undefined>();
  let after = 0;
  for (;;) {
    const items = await inbox.take(pageSize, after);
    for (const { key, session, payload } of items) {
      const path = isJsonObject(payload) ? textOf(payload, "transcript_path") : undefined;
      pending.set(session, path ?? pending.get(session));
      after = key;
    }
    if (items.length < pageSize) return pending;
  }
}

/** Finds the transcripts of sessions that were not listed: another folder of the client may be in use there. */
async function locatePending(
  pending: ReadonlyMap<string, string | undefined>,
  listed: readonly TranscriptFile[],
): Promise<readonly TranscriptFile[]> {
  const known = new Set<string>(listed.map(({ session }) => session));
  const found: TranscriptFile[] = [];
  for (const [session, path] of pending) {
    const file = path === undefined || known.has(session) ? undefined : await locateTranscript(session, path);
    if (file !== undefined) found.push(file);
  }
  return found;
}
