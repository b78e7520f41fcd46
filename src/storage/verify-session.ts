import { AppError } from "../lib/app-error.ts";
import { chainHash, chainStart, sha256 } from "../sessions/chain.ts";
import type { Verification } from "../sessions/conversation-log.ts";
import type { EntryId, Strand } from "../sessions/ids.ts";
import { Replaced } from "../sessions/replaced.ts";
import { DescribedEntries } from "./described-entries.ts";
import { decodeBody, toHex } from "./entry-codec.ts";
import { readLineage, type Segment } from "./lineage.ts";
import { askRows } from "./read-entries.ts";
import { readCopyStart } from "./replica/find-known.ts";
import type { StoredSession } from "./session-row.ts";
import type { Row, SqlRunner } from "./sql-driver.ts";

const batchSize = 500;
const mismatch = "its content does not match its hash";

/** How far the chain was found to be right. */
interface Progress {
  seq: number;
  hash: string;
  messages: number;
  entry: string | null;
  strand: string | null;
  scrubbed: number;
  readonly replaced: Replaced;
  /** Whether the entries that come now are the session's own, not those of its origin. */
  isOwn: boolean;
  /** The entry after which those of a copy describe it, although it shares them. */
  readonly describedFrom: number | null;
  /** The last entry that is the origin's, in a fork that holds what it shares itself. */
  readonly forkedAt: string | null;
  readonly described: DescribedEntries;
}

class BadEntry extends Error {
  readonly seq: number;
  readonly entry: string | null;
  constructor(seq: number, entry: string | null, reason: string) {
    super(reason);
    this.seq = seq;
    this.entry = entry;
  }
}

/** Recomputes the chain of a session from its first entry and compares it with what is stored. */
export async function verifySession(
  runner: SqlRunner,
  stored: StoredSession,
  onProgress: (entries: number) => void,
): Promise<Verification> {
  const progress = begin(stored, await readCopyStart(runner, stored.key));
  const answer = (problem: Verification["problem"]): Verification => ({
    session: stored.session.id,
    entries: progress.seq,
    head: progress.seq === 0 ? null : progress.hash,
    scrubbed: progress.scrubbed,
    problem,
  });
  try {
    const lineage = await readLineage(runner, stored);
    let base: string | null = null;
    for (const [index, segment] of lineage.entries()) {
      enterSegment(segment, stored, progress);
      checkBase(segment, base, progress);
      base = await readBase(runner, lineage[index + 1]);
      await checkSegment(runner, { segment, base }, progress, onProgress);
    }
    if (!progress.isOwn) checkFork(stored, progress);
    checkHead(stored, progress);
    checkReplaced(progress);
    checkDescription(progress);
    return answer(null);
  } catch (error) {
    if (error instanceof BadEntry)
      return answer({ seq: error.seq, entry: error.entry, reason: error.message });
    if (error instanceof AppError && error.kind === "io") {
      return answer({ seq: progress.seq + 1, entry: null, reason: error.message });
    }
    throw error;
  }
}

function begin(stored: StoredSession, describedFrom: number | null): Progress {
  return {
    seq: 0,
    hash: chainStart,
    messages: 0,
    entry: null,
    strand: null,
    scrubbed: 0,
    replaced: new Replaced(),
    isOwn: false,
    describedFrom,
    forkedAt: stored.baseKey === null ? (stored.session.forkedFrom?.entry ?? null) : null,
    described: new DescribedEntries(stored),
  };
}

/** Returns the hash of its origin that the fork which holds a stretch remembers, and from which its chain goes on. */
async function readBase(runner: SqlRunner, fork: Segment | undefined): Promise<string | null> {
  if (fork === undefined) return null;
  const rows = await runner.all("SELECT base_hash FROM session WHERE key = ?", [fork.key]);
  return toHex(rows[0]?.[0]);
}

function checkBase(segment: Segment, base: string | null, progress: Progress): void {
  if (progress.seq === 0 || base === progress.hash) return;
  const reason = `its hash is not the one that the fork ${segment.session} continues from`;
  throw new BadEntry(progress.seq, null, reason);
}

/** Checks a stretch, which ends where its fork goes on from, as the hash says that the fork remembers. */
async function checkSegment(
  runner: SqlRunner,
  { segment, base }: { readonly segment: Segment; readonly base: string | null },
  progress: Progress,
  onProgress: (entries: number) => void,
): Promise<void> {
  while (progress.seq < segment.to) {
    const rows = await readRows(runner, segment, progress.seq);
    if (rows.length === 0) throw new BadEntry(progress.seq + 1, null, "it is missing");
    for (const row of rows) {
      if (progress.seq > 0 && progress.hash === base)
        throw new BadEntry(progress.seq + 1, null, "the session was forked before it");
      checkEntry(row, progress);
    }
    onProgress(progress.seq);
  }
}

function readRows(runner: SqlRunner, segment: Segment, after: number): Promise<readonly Row[]> {
  const ask = (limit: number) =>
    runner.all(
      `SELECT e.seq, e.id, e.parent, e.strand, e.kind, e.at_ms, e.messages, e.hash, b.hash, b.scrubbed_hash, b.json, b.zstd
       FROM entry e LEFT JOIN body b ON b.key = e.body_key
       WHERE e.session_key = ? AND e.seq > ? AND e.seq <= ? ORDER BY e.seq LIMIT ?`,
      [segment.key, after, segment.to, limit],
    );
  return askRows(ask, Math.min(batchSize, segment.to - after));
}

function checkEntry(row: Row, progress: Progress): void {
  const [seq, id, parent, strand, kind, atMs, messages, hash, bodyHash, scrubbedHash, ...columns] = row;
  if (seq !== progress.seq + 1) throw new BadEntry(progress.seq + 1, null, "it is missing");
  const bad = (reason: string) => new BadEntry(progress.seq + 1, String(id), reason);
  const body = readBody(columns, bad);
  const found = sha256(body);
  if (scrubbedHash !== null && found !== toHex(scrubbedHash)) throw bad(mismatch);
  const computed = chainHash(progress.hash, {
    id: id as EntryId,
    parent: parent as EntryId | null,
    strand: strand as Strand,
    kind: kind as string,
    atMs: atMs as number,
    bodyHash: scrubbedHash === null ? found : (toHex(bodyHash) ?? ""),
  });
  if (computed !== toHex(hash)) throw bad(mismatch);
  const counted = progress.messages + (kind === "message" ? 1 : 0);
  if (messages !== counted) throw bad("its count of messages is wrong");
  if (scrubbedHash !== null) {
    progress.scrubbed += 1;
    progress.replaced.add(id as EntryId, { after: progress.seq, head: progress.hash, hash: found });
  }
  if (kind === "event") progress.replaced.note(body);
  if (describesIt(progress))
    progress.described.take({ id: id as EntryId, kind: kind as string, atMs: atMs as number, body });
  if (id === progress.forkedAt) progress.isOwn = true;
  progress.seq += 1;
  progress.hash = computed;
  progress.messages = counted;
  progress.entry = id as EntryId;
  progress.strand = strand as Strand;
}

/** Tells whether the next entry says something of the session, and not of its origin. */
function describesIt({ isOwn, seq, describedFrom }: Progress): boolean {
  return isOwn || (describedFrom !== null && seq >= describedFrom);
}

function readBody(columns: Row, bad: (reason: string) => BadEntry): string {
  let body: string | undefined;
  try {
    body = decodeBody(columns[0], columns[1]);
  } catch (error) {
    throw bad(`its body cannot be decompressed (${error instanceof Error ? error.message : String(error)})`);
  }
  if (body === undefined) throw bad("its body is missing");
  return body;
}

function enterSegment(segment: Segment, stored: StoredSession, progress: Progress): void {
  if (segment.key !== stored.key) return;
  progress.isOwn = progress.forkedAt === null;
  if (progress.isOwn) checkFork(stored, progress);
}

function checkFork(stored: StoredSession, progress: Progress): void {
  if ((stored.session.forkedFrom?.entry ?? null) === progress.entry) return;
  throw new BadEntry(
    progress.seq,
    progress.entry,
    "it is not the one at which the session says it was forked",
  );
}

/** Only what a later entry of the same chain vouches for may stand in place of what was written. */
function checkReplaced(progress: Progress): void {
  const unnoted = progress.replaced.firstUnnoted();
  if (unnoted === undefined) return;
  progress.seq = unnoted.after;
  progress.hash = unnoted.head;
  throw new BadEntry(
    unnoted.after + 1,
    unnoted.id,
    "its content was replaced, and no entry of the session says so",
  );
}

function checkHead(stored: StoredSession, progress: Progress): void {
  const { entries, head, messages } = stored.session;
  const found = [progress.seq, progress.hash, progress.messages, progress.entry, progress.strand];
  const recorded = [entries, head ?? chainStart, messages, stored.leaf, stored.leafStrand];
  if (recorded.every((value, index) => value === found[index])) return;
  throw new BadEntry(
    progress.seq,
    progress.entry,
    "the session's own record of its last entry does not match the chain",
  );
}

function checkDescription({ described, scrubbed }: Progress): void {
  const different = described.findDifference({ hasScrubbed: scrubbed > 0 });
  if (different !== undefined)
    throw new BadEntry(0, null, `the ${different} in the session's own record is not what its entries say`);
}
