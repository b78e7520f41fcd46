import {
  listTranscripts,
  locateTranscript,
  type ReportUnreadable,
  type TranscriptFile,
} from "../../clients/claude-code/locate.ts";
import type { TranscriptState } from "../../clients/claude-code/transcript-state.ts";
import { listAll } from "../../sessions/list-all.ts";
import type { Session } from "../../sessions/session.ts";
import type { SyncTally } from "../sync-report.ts";
import { noNotes, readHookNotes } from "./hook-notes.ts";
import type { Pending } from "./read-pending.ts";
import { isKnown } from "./start-session.ts";
import { makeStop } from "./stop-entry.ts";
import type { SyncSite } from "./sync-site.ts";
import { syncTranscripts, type TranscriptChoice } from "./sync-transcripts.ts";
import { takeInbox } from "./take-inbox.ts";

export interface SyncOptions extends TranscriptChoice {
  /** The client's folder: see `locateClient`. */
  readonly client: string;
  /** Folders of the client that were in use at other times: of what is there, only what was recorded is read. */
  readonly elsewhere?: readonly string[];
  /** Only sessions that began in this folder or below it, and those that hooks have told of. */
  readonly below?: string;
  /** Writes down in projects what the moments call for; returns the keys of those that are dealt with. */
  readonly attend?: () => Promise<ReadonlySet<number>>;
}

/**
 * Takes in what Claude Code wrote and what its hooks saw. One process at a time may do so.
 *
 * Transcripts come first: what they hold need not be recorded a second time from what hooks saw. What is written down
 * in projects comes before the items are forgotten, so that a kill leaves it to the next sync.
 */
export async function syncAll(
  site: SyncSite,
  pending: Pending,
  options: SyncOptions,
  tally: SyncTally,
): Promise<void> {
  const report: ReportUnreadable = ({ code, message: reason }, path) =>
    tally.failed.push({ path, code, reason });
  const files = [
    ...(await listTranscripts(options.client, options.below, report)),
    ...(await listRecorded(site, pending, options, report)),
  ];
  const others = await locatePending(pending, files, report);
  await syncTranscripts(site, [...files, ...others], pending, options, tally);
  await takeInbox(site, tally, await options.attend?.());
  await settleSessions(site);
}

/** Lists transcripts in other folders of the client, of sessions that hooks have told of and of those in the store. */
async function listRecorded(
  site: SyncSite,
  pending: Pending,
  { elsewhere = [], below }: SyncOptions,
  report: ReportUnreadable,
): Promise<readonly TranscriptFile[]> {
  const found: TranscriptFile[] = [];
  for (const folder of elsewhere) {
    for (const file of await listTranscripts(folder, below, report))
      if (pending.has(file.session) || (await isKnown(site, file.session))) found.push(file);
  }
  return found;
}

/** Finds the transcripts of sessions that were not listed: they began in another folder. */
async function locatePending(
  pending: Pending,
  listed: readonly TranscriptFile[],
  report: ReportUnreadable,
): Promise<readonly TranscriptFile[]> {
  const known = new Set<string>(listed.map(({ session }) => session));
  const found: TranscriptFile[] = [];
  for (const [session, { path }] of pending) {
    const file =
      path === undefined || known.has(session) ? undefined : await locateTranscript(session, path, report);
    if (file !== undefined) found.push(file);
  }
  return found;
}

/** Says of sessions whose client is gone how they ended. */
async function settleSessions(site: SyncSite): Promise<void> {
  const open: Session[] = [];
  for await (const session of listAll(site.log, { client: "claude-code", status: "open" }))
    open.push(session);
  for (const session of open) if (session.machine === site.machine) await settle(site, session);
}

async function settle(site: SyncSite, { id: session, updatedAt }: Session): Promise<void> {
  const standing = { session, updatedAt, turn: null, notes: noNotes };
  // Most that are open go on; how the others stood is looked up only for them.
  if (makeStop(site, standing) === undefined) return;
  const { notes } = await readHookNotes(site.ingestion, session);
  const states = (await site.ingestion.states(session)).map(
    (state): Partial<TranscriptState> => JSON.parse(state),
  );
  const turn = states.find(({ agent, facts }) => agent === null && facts !== undefined)?.facts?.turn ?? null;
  const stop = makeStop(site, { ...standing, notes, turn });
  if (stop !== undefined) await site.log.append(session, [stop]);
}
