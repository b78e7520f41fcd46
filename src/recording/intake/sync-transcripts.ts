import { sep } from "node:path";
import type { FoundFile, TranscriptFile } from "../../clients/claude-code/locate.ts";
import { readTranscript } from "../../clients/claude-code/read-transcript.ts";
import { absorb } from "../../clients/claude-code/to-entries.ts";
import { startTranscript } from "../../clients/claude-code/transcript-state.ts";
import { AppError } from "../../lib/app-error.ts";
import { FileError } from "../../lib/file-error.ts";
import { SessionWasDeleted } from "../../sessions/errors.ts";
import type { ProjectId } from "../../sessions/project.ts";
import { countSince } from "../deleted-work.ts";
import { isRecordedIn } from "../record-rules.ts";
import type { SyncTally } from "../sync-report.ts";
import { ingestTranscript, type Transcript } from "./ingest-transcript.ts";
import type { Pending } from "./read-pending.ts";
import { isKnown } from "./start-session.ts";
import type { SyncSite } from "./sync-site.ts";

/** Which transcripts are meant, of those that were found. */
export interface TranscriptChoice {
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
export async function syncTranscripts(
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
  await ingest({ session, agent: null, ...toSource(file), ...facts });
  for (const { agent, ...own } of subagents) {
    await reporting(tally, own.path, () => ingest({ session, agent, ...toSource(own), ...facts }));
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
