import { usageError } from "../lib/app-error.ts";
import { type CompareOptions, compareSessions } from "./compare-sessions.ts";
import type { ConversationLog, Receipt } from "./conversation-log.ts";
import { contentText } from "./diff/content-key.ts";
import type { Entry, JsonObject, NewEntry } from "./entry.ts";
import { type EntryId, mainStrand } from "./ids.ts";
import { makeBlock, mergingEvent } from "./make-merge-block.ts";
import { findConflicts, type MergeConflict, toConflictJson } from "./merge-conflict.ts";
import { isMergedId, isMergeNote, mergedId, noteIds, prefixIn, prefixOf } from "./merged-id.ts";
import { scrubbedEvent } from "./scrub-note.ts";
import type { Session } from "./session.ts";
import { stopped } from "./session-events.ts";
import { readPaths } from "./session-paths.ts";
import { openWriter, type WritableStore } from "./session-writer.ts";
import { countShared, type SideRequest } from "./side-reader.ts";

export interface MergeRequest {
  /** The session that receives the block. */
  readonly target: Session;
  /** What it receives the own part of: a session, or a path through one, also through the target itself. */
  readonly source: SideRequest;
  readonly now: Date;
  /** What others are told who want to write the target meanwhile: `carryon merge`. */
  readonly program: string;
  readonly decisions?: CompareOptions["decisions"];
  /** The target was named for this merge: that its title is another is no conflict. */
  readonly isNamed?: boolean;
}

/** What a merge would do. */
export interface MergePlan {
  readonly target: Session;
  readonly source: SideRequest;
  /** What is to be appended; nothing where the target has everything. */
  readonly block: readonly NewEntry[];
  /** How many entries come from the source; the block has notes about itself besides. */
  readonly entries: number;
  readonly conflicts: readonly MergeConflict[];
}

/** What a merge has done. */
export interface Merged extends MergePlan {
  /** The first entry of the block; null where nothing was missing. */
  readonly begin: EntryId | null;
  /** Whether this merge appended it; another process may have been first. */
  readonly isNew: boolean;
}

/** How many conflicts the log has of a merge. */
const mostConflicts = 200;

/** Finds out what a merge would append, and what both sides say differently. */
export async function planMerge(log: ConversationLog, request: MergeRequest): Promise<MergePlan> {
  const { target, source, now, decisions = [], isNamed = false } = request;
  if (target.id === source.session.id && source.end === undefined)
    throw usageError("same-session", `Session ${target.id} cannot be merged into itself.`, {
      hint: `Name two sessions, or a path of it as \`${target.id}@N\`, where N is the number of its last entry.`,
    });
  const part = await findPart(log, target, source);
  if (part.length === 0) return { target, source, block: [], entries: 0, conflicts: [] };
  const diff = await compareSessions(log, { session: target }, source, { textLimit: 1, decisions });
  const conflicts = findConflicts(diff).filter(({ type }) => !(isNamed && type === "title"));
  const sources = await listSources(log, source.session, part);
  const key = keyOf(source, part);
  const data = {
    ...describeSource(source, part),
    sources,
    entries: part.length,
    ...tellConflicts(conflicts),
  };
  const block = [...makeBlock({ part, key, now, data }), ...keepStatus(target, part, key, now)];
  return { target, source, block, entries: part.length, conflicts };
}

/**
 * Appends to a session what it does not have of another, as one block that says where it comes from.
 *
 * All of it is stored or nothing. Nothing that was there is changed. Done again it adds nothing, or what is new since.
 * A session that Carryon writes is held meanwhile: one that a living process writes is refused.
 */
export async function mergeSessions(store: WritableStore, request: MergeRequest): Promise<Merged> {
  const plan = await planMerge(store.log, request);
  const [first] = plan.block;
  if (first === undefined) return { ...plan, begin: null, isNew: false };
  const receipts = await appendBlock(store, request, plan.block);
  return { ...plan, begin: first.id, isNew: receipts.some((receipt) => receipt.isNew) };
}

/** Entries are written at this rate at least, even over a network. */
const msPerEntry = 20;
const shortestLeaseMs = 60_000;

async function appendBlock(
  store: WritableStore,
  { target, program, now }: MergeRequest,
  block: readonly NewEntry[],
): Promise<readonly Receipt[]> {
  // What a client writes has no lease, and is taken in however often it comes.
  if (target.clientSessionId !== null) return store.log.append(target.id, block);
  const leaseMs = Math.max(shortestLeaseMs, block.length * msPerEntry);
  const writer = await openWriter(store, target.id, { program, now, leaseMs });
  try {
    return await writer.append(block);
  } finally {
    await writer[Symbol.asyncDispose]();
  }
}

/** The same entries make the same block, so that two processes that merge at once store one. */
function keyOf({ session, end }: SideRequest, part: readonly Entry[]): string {
  return JSON.stringify([session.id, end ?? null, part.map(({ session: of, id }) => [of, id])]);
}

function describeSource({ session, end }: SideRequest, part: readonly Entry[]): JsonObject {
  const { id, title, client, machine, head } = session;
  return {
    from: {
      ...{ session: id, title, client, machine, head },
      ...{ first: part[0]?.seq ?? 0, last: part.at(-1)?.seq ?? 0 },
      ...(end === undefined ? {} : { path: end }),
    },
  };
}

/** Names the sessions in which the entries were first recorded, each with what the ids of its entries begin with here. */
async function listSources(
  log: ConversationLog,
  { id }: Session,
  part: readonly Entry[],
): Promise<readonly JsonObject[]> {
  const sources = new Map<string, string | null>();
  for (const entry of part)
    sources.set(
      prefixIn(entry.id) ?? prefixOf(entry.session),
      prefixIn(entry.id) === undefined ? entry.session : null,
    );
  if (part.some((entry) => isMergedId(entry.id))) await nameSources(log, id, sources);
  return [...sources].map(([prefix, session]) => ({ prefix, session }));
}

/** What was brought to the source before was named there. */
async function nameSources(
  log: ConversationLog,
  source: Session["id"],
  sources: Map<string, string | null>,
): Promise<void> {
  for await (const entry of log.read(source)) {
    if (entry.kind !== "event" || entry.event !== mergingEvent) continue;
    const named = Array.isArray(entry.data.sources) ? (entry.data.sources as readonly JsonObject[]) : [];
    for (const { prefix, session } of named)
      if (typeof prefix === "string" && typeof session === "string" && sources.get(prefix) === null)
        sources.set(prefix, session);
  }
}

function tellConflicts(conflicts: readonly MergeConflict[]): JsonObject {
  const unlisted = Math.max(0, conflicts.length - mostConflicts);
  return {
    conflicts: conflicts.slice(0, mostConflicts).map(toConflictJson),
    ...(unlisted === 0 ? {} : { unlistedConflicts: unlisted }),
  };
}

/** A message that is later than the end of a session would open it again, although nobody goes on in it. */
function keepStatus(target: Session, part: readonly Entry[], key: string, now: Date): readonly NewEntry[] {
  if (target.status === "open") return [];
  const latest = part.reduce((most, { at }) => Math.max(most, at.getTime()), target.updatedAt.getTime());
  const at = new Date(Math.max(now.getTime(), latest + 1));
  return [stopped(noteIds(key).status, at, target.status)];
}

/**
 * Returns the entries of a session, or of one path through it, that another session does not have.
 *
 * Shared is what is the same stored entry, what was merged before, and what a client has written with the same id and
 * content into both. What only says the same was said twice, and is no loss to keep. Notes about a record itself (of
 * scrubs and merges) are true of that record only, and stay behind.
 */
async function findPart(
  log: ConversationLog,
  target: Session,
  source: SideRequest,
): Promise<readonly Entry[]> {
  const isOwnPath = target.id === source.session.id;
  const shared = isOwnPath ? 0 : await countShared(log, target, source.session);
  const isOnPath = await makeFilter(log, target, source);
  const part = new Map<EntryId, Entry>();
  for await (const entry of log.read(source.session.id, { from: shared + 1, to: source.session.entries }))
    if (isOnPath(entry) && !isNote(entry)) part.set(mergedId(entry), entry);
  const heldBy = isOwnPath ? broughtAs : makeHeldBy([...part.values()]);
  for await (const entry of log.read(target.id, { from: shared + 1 }))
    for (const id of heldBy(entry)) part.delete(id);
  return [...part.values()];
}

/** A session has the entries of its own side paths; what counts there is what was brought to the path of the leaf. */
function broughtAs({ id }: Entry): readonly EntryId[] {
  return isMergedId(id) ? [id] : [];
}

/** Returns what tells which of the entries to bring an entry of the target is, by the ids that they would get. */
function makeHeldBy(part: readonly Entry[]): (entry: Entry) => readonly EntryId[] {
  const byId = new Map(part.map((entry) => [entry.id, entry]));
  return (entry) => {
    const same = byId.get(entry.id);
    const isSame = same !== undefined && contentText(same) === contentText(entry);
    return isSame ? [mergedId(entry), mergedId(same)] : [mergedId(entry)];
  };
}

function isNote(entry: Entry): boolean {
  return isMergeNote(entry.id) || (entry.kind === "event" && entry.event === scrubbedEvent);
}

/** Of the path of a session into itself, what its leaf's path has already is left out. */
async function makeFilter(
  log: ConversationLog,
  target: Session,
  { session, end, strand = mainStrand }: SideRequest,
): Promise<(entry: Entry) => boolean> {
  if (end === undefined) return () => true;
  const paths = await readPaths(log, session, strand);
  const wanted = new Set(paths.pathTo(end).map(({ id }) => id));
  if (session.id === target.id) for (const { id } of paths.pathTo(paths.leaf?.seq)) wanted.delete(id);
  return ({ id }) => wanted.has(id);
}
