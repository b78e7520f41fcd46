import { basename, sep } from "node:path";
import {
  type FoundFile,
  listTranscripts,
  locateTranscript,
  type ReportUnreadable,
  type TranscriptFile,
} from "../../clients/claude-code/locate.ts";
import { readTranscript } from "../../clients/claude-code/read-transcript.ts";
import { absorb } from "../../clients/claude-code/to-entries.ts";
import { startTranscript } from "../../clients/claude-code/transcript-state.ts";
import { AppError } from "../../lib/app-error.ts";
import { FileError } from "../../lib/file-error.ts";
import { listAll } from "../../sessions/conversation-log.ts";
import { SessionWasDeleted } from "../../sessions/errors.ts";
import type { ProjectId } from "../../sessions/project.ts";
import type { Session } from "../../sessions/session.ts";
import { countSince } from "../deleted-work.ts";
import { isRecordedIn } from "../record-rules.ts";
import type { SyncTally } from "../sync-report.ts";
import { noNotes, readHookNotes } from "./hook-notes.ts";
import { ingestTranscript, type Transcript } from "./ingest-transcript.ts";
import type { Pending } from "./read-pending.ts";
import { isKnown } from "./start-session.ts";
import { makeStop } from "./stop-entry.ts";
import type { SyncSite } from "./sync-site.ts";
import { readTurn, takeInbox } from "./take-inbox.ts";

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
    ...(await listTranscripts(options.client, options.below, report)).map((file) => nameFile(site, file)),
    ...(await listRecorded(site, pending, options, report)),
  ];
  const others = await locatePending(site, pending, files, report);
  await syncTranscripts(site, [...files, ...others], pending, options, tally);
  await takeInbox(site, tally, await options.attend?.());
  await settleSessions(site);
}

/** Returns the id that the client has for the session of a transcript. */
function nativeId({ path }: { readonly path: string }): string {
  return basename(path, ".jsonl");
}

/** Names the session of a transcript as the store does. */
function nameFile({ given }: SyncSite, file: TranscriptFile): TranscriptFile {
  return { ...file, session: given.get(nativeId(file)) ?? file.session };
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
    for (const file of (await listTranscripts(folder, below, report)).map((each) => nameFile(site, each)))
      if (pending.has(file.session) || (await isKnown(site, file.session))) found.push(file);
  }
  return found;
}

/** Finds the transcripts of sessions that were not listed: they began in another folder. */
async function locatePending(
  site: SyncSite,
  pending: Pending,
  listed: readonly TranscriptFile[],
  report: ReportUnreadable,
): Promise<readonly TranscriptFile[]> {
  const known = new Set(listed.map(nativeId));
  const found: TranscriptFile[] = [];
  for (const { path = "" } of pending.values()) {
    const id = nativeId({ path });
    const file = path === "" || known.has(id) ? undefined : await locateTranscript(id, path, report);
    if (file !== undefined) found.push(nameFile(site, file));
  }
  return found;
}

/** Says of sessions whose client is gone how they ended. */
async function settleSessions(site: SyncSite): Promise<void> {
  const open: Session[] = [];
  for await (const session of listAll(site.log, { client: "claude-code", status: "open" }))
    open.push(session);
  for (const given of new Set(site.given.values())) {
    const [session] = (await site.log.list({ id: given, status: "open" })).sessions;
    if (session !== undefined && session.client !== "claude-code") open.push(session);
  }
  for (const session of open) if (session.machine === site.machine) await settle(site, session);
}

async function settle(site: SyncSite, { id: session, updatedAt }: Session): Promise<void> {
  const standing = { session, updatedAt, turn: null, notes: noNotes };
  // Most that are open go on; how the others stood is looked up only for them.
  if (makeStop(site, standing) === undefined) return;
  const { notes } = await readHookNotes(site.ingestion, session);
  const turn = await readTurn(site, session);
  const stop = makeStop(site, { ...standing, notes, turn });
  if (stop !== undefined) await site.log.append(session, [stop]);
}

/** Which transcripts are meant, of those that were found. */
interface TranscriptChoice {
  /** Only transcripts that were written to after this moment. */
  readonly since?: Date;
  /** Only transcripts whose first folder belongs to this project. */
  readonly project?: ProjectId;
  /** Only transcripts of sessions that hooks have told of, and of those that are in the store. */
  readonly recorded?: true;
  /** Also transcripts that began since in a folder or below it: hooks are there, and may not have been able to tell. */
  readonly begun?: { readonly since: Date; readonly below: string };
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Takes transcripts of Claude Code into the log: what is new in them, once, however often and by how many.
 *
 * One that cannot be taken in is reported, and the others are.
 */
async function syncTranscripts(
  site: SyncSite,
  found: readonly TranscriptFile[],
  pending: Pending,
  options: TranscriptChoice,
  tally: SyncTally,
): Promise<void> {
  // Older files first: a fork is younger than its origin, and has to find it.
  const files = found.toSorted((one, other) => ageOf(one) - ageOf(other));
  const deletions = await site.ingestion.deletions("claude-code");
  for (const [index, file] of files.entries()) {
    options.onProgress?.(index, files.length);
    const deletedAt = deletions.get(file.session);
    const facts = { told: pending.get(file.session)?.links };
    await reporting(tally, file.path, async () => {
      if (deletedAt !== undefined) await leaveOut(file, deletedAt, tally, { ...options, ...facts });
      else if (await isWanted(site, file, { ...options, ...facts }))
        await syncSession(site, file, facts, tally);
      else tally.leftOut += 1;
    });
  }
  await site.ingestion.flush();
}

/** Its owner did not want it any more; that it goes on in the client is told, lest it be missed. */
async function leaveOut(
  file: TranscriptFile,
  deletedAt: Date,
  tally: SyncTally,
  { recorded, told }: TranscriptChoice & Pick<Transcript, "told">,
): Promise<void> {
  tally.leftOut += 1;
  // Where only news is asked for, a hook would have told of it.
  const entries = recorded && told === undefined ? 0 : await countSince(file, deletedAt);
  if (entries > 0) tally.deleted.push({ session: file.session, entries });
}

/** A file that was restored or copied is born after it was written. */
function ageOf({ birthtime, mtime }: TranscriptFile): number {
  return Math.min(birthtime.getTime(), mtime.getTime());
}

function toSource(file: FoundFile): Pick<Transcript, "path" | "file" | "writtenAt"> {
  return { path: file.path, file, writtenAt: file.mtime };
}

async function syncSession(
  site: SyncSite,
  { subagents, session, ...file }: TranscriptFile,
  facts: Pick<Transcript, "told">,
  tally: SyncTally,
): Promise<void> {
  const isGiven = site.given.has(nativeId(file));
  await ingest({ session, agent: null, isGiven, ...toSource(file), ...facts });
  for (const { agent, ...own } of subagents) {
    await reporting(tally, own.path, () => ingest({ session, agent, isGiven, ...toSource(own), ...facts }));
  }

  async function ingest(transcript: Transcript): Promise<void> {
    tally.transcripts += 1;
    await ingestTranscript(site, transcript, tally);
  }
}

async function reporting(tally: SyncTally, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isOfTranscript(error, path)) throw error;
    // Deleted while it was read.
    if (error instanceof SessionWasDeleted) tally.leftOut += 1;
    else tally.failed.push({ path, code: error.code, reason: error.message });
  }
}

/** A store that is full, busy or gone is no fault of one transcript. */
function isOfTranscript(error: unknown, path: string): error is AppError {
  if (error instanceof FileError) return error.path === path;
  return error instanceof AppError && (error.kind === "conflict" || error.kind === "usage");
}

async function isWanted(
  site: SyncSite,
  file: TranscriptFile,
  { since, project, recorded, begun, told }: TranscriptChoice & Pick<Transcript, "told">,
): Promise<boolean> {
  if (
    recorded &&
    told === undefined &&
    !(await isKnown(site, file.session)) &&
    !(await hasBegun(file, begun))
  )
    return false;
  const newest = Math.max(...[file, ...file.subagents].map(({ mtime }) => mtime.getTime()));
  if (since !== undefined && newest < since.getTime()) return false;
  const { rules } = site.privacy;
  if (project === undefined && rules.length === 0) return true;
  const cwd = await readCwd(file);
  if (cwd !== null && !isRecordedIn(rules, cwd)) return false;
  return project === undefined || (cwd !== null && (await site.recognise(cwd)).id === project);
}

async function hasBegun(file: TranscriptFile, begun: TranscriptChoice["begun"]): Promise<boolean> {
  if (begun === undefined || ageOf(file) < begun.since.getTime()) return false;
  const cwd = await readCwd(file);
  return cwd !== null && (cwd === begun.below || cwd.startsWith(begun.below + sep));
}

/** The first rows of a transcript say where it was written. */
const peekBytes = 65_536;

async function readCwd({ path, session }: TranscriptFile): Promise<string | null> {
  let state = startTranscript(session);
  for await (const { rows } of readTranscript(path, undefined, { batchBytes: peekBytes })) {
    state = absorb(state, rows).state;
    if (state.facts.cwd !== null) break;
  }
  return state.facts.cwd;
}
