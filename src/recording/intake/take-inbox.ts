import { readObservation, type Seen } from "../../clients/claude-code/read-observation.ts";
import type { Turn } from "../../clients/claude-code/read-turn.ts";
import type { TranscriptFacts, TranscriptState } from "../../clients/claude-code/transcript-state.ts";
import { isJsonObject, textOf } from "../../clients/claude-code/wire.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import { SessionConflict } from "../../sessions/errors.ts";
import { type EntryId, isName, type SessionId } from "../../sessions/ids.ts";
import type { InboxItem } from "../../sessions/inbox.ts";
import type { IngestBatch, Ingested } from "../../sessions/ingestion.ts";
import { foundId, hookStrand } from "../../sessions/observations.ts";
import type { SyncTally } from "../sync-report.ts";
import { type HookNotes, readHookNotes } from "./hook-notes.ts";
import { isWriting } from "./is-writing.ts";
import { judgeEnd } from "./judge-status.ts";
import { followTurns, isMoment } from "./moments.ts";
import { findSeen } from "./queued-and-seen.ts";
import { isKnown, toStart } from "./start-session.ts";
import type { SyncSite } from "./sync-site.ts";

/** How many items are taken at once. */
const batchSize = 500;
/** What was never found in a transcript so far back never will be. */
const outstandingLimit = 5000;

/**
 * Turns what hooks saw into entries: what the transcripts do not have, and how sessions began and ended.
 *
 * The items of a session are forgotten in the transaction that stores its entries. A moment to which nobody has attended
 * yet stays, and so does what the session did after it; without a list all have been attended to.
 */
export async function takeInbox(
  site: SyncSite,
  tally: SyncTally,
  attended?: ReadonlySet<number>,
): Promise<void> {
  const waiting = new Set<string>();
  const waits = (item: InboxItem): boolean => {
    if (isMoment(item) && attended?.has(item.key) === false) waiting.add(item.session);
    return waiting.has(item.session);
  };
  let after = 0;
  for (;;) {
    const all = await site.inbox.take(batchSize, after);
    if (all.length === 0) return;
    after = all.at(-1)?.key ?? after;
    const items = all.filter((item) => !waits(item));
    for (const [session, own] of Map.groupBy(items, (item) => item.session)) {
      if ((await takeItems(site, session, own, tally)) !== "waits") tally.items += own.length;
    }
  }
}

async function takeItems(
  site: SyncSite,
  name: string,
  items: readonly InboxItem[],
  tally: SyncTally,
): Promise<Ingested["type"] | "waits"> {
  const isOurs = isName(name) && items.every(({ client }) => client === "claude-code");
  const fate = isOurs ? await recordItems(site, name as SessionId, items, tally) : "gone";
  if (fate === "gone") await site.inbox.forget(items.map(({ key }) => key));
  return fate;
}

/** Records items, and forgets them with that; `gone` when there is nothing to record, or nowhere. */
async function recordItems(
  site: SyncSite,
  session: SessionId,
  items: readonly InboxItem[],
  tally: SyncTally,
): Promise<Ingested["type"] | "waits"> {
  const { ingestion } = site;
  const states = await readStates(site, session);
  const known = new Set(states.flatMap(({ links = [] }) => links));
  const seen = items.flatMap((item) => readObservation(item) ?? []).filter(({ link }) => !known.has(link));
  const isThere = await isKnownHere(site, session);
  if (isThere === "foreign" || (!isThere && seen.length === 0)) return "gone";
  // Its transcript says more of how a session began than hooks do.
  if (!isThere && isWriting(site, session, items[0]?.receivedAt ?? site.now)) return "waits";
  const { source, revision, notes } = await readHookNotes(ingestion, session);
  const ends = await readEnds(site, items, { session, notes, seen });
  const batch: IngestBatch = {
    ...{ source, session, after: revision, position: "{}", leading: null },
    start: isThere ? undefined : await toStart(site, session, factsOf(items)),
    entries: [
      ...seen.map(({ entry }) => entry),
      ...findSeen(
        states.flatMap(({ queue = [] }) => queue),
        seen,
      ),
      ...items.flatMap((item) => readStatus(site, item, ends) ?? []),
    ],
    state: JSON.stringify(await addNotes(site, session, notes, { items, seen })),
    items: items.map(({ key }) => key),
  };
  const told = await storeUnlessDeleted(site, batch, seen, tally);
  if (told.type !== "stored") return told.type;
  tally.added += told.added;
  if (!isThere) tally.sessions += 1;
  return "stored";
}

/** A session that was deleted is not made again; what hooks saw in it since is told, unless its transcript tells more. */
async function storeUnlessDeleted(
  { ingestion }: SyncSite,
  batch: IngestBatch,
  seen: readonly Seen[],
  tally: SyncTally,
): Promise<Ingested> {
  const { session } = batch;
  try {
    return await ingestion.store(batch);
  } catch (error) {
    if (!(error instanceof SessionConflict)) throw error;
    const deletedAt = (await ingestion.deletions("claude-code")).get(session);
    const entries = seen.filter(({ entry }) => deletedAt !== undefined && entry.at > deletedAt).length;
    const isTold = tally.deleted.some((each) => each.session === session);
    if (entries > 0 && !isTold) tally.deleted.push({ session, entries });
    return { type: "gone" };
  }
}

/** Returns where reading stands in a session's transcripts. */
async function readStates(
  { ingestion }: SyncSite,
  session: SessionId,
): Promise<readonly Partial<TranscriptState>[]> {
  return (await ingestion.states(session)).map((state): Partial<TranscriptState> => JSON.parse(state));
}

async function isKnownHere(site: SyncSite, session: SessionId): Promise<boolean | "foreign"> {
  return unlessConflict(isKnown(site, session), "foreign");
}

/** Returns what items say of a session that has no transcript yet. */
function factsOf(items: readonly InboxItem[]): Pick<TranscriptFacts, "cwd" | "branch" | "startedAt"> {
  const payloads = items.map(({ payload }) => payload).filter(isJsonObject);
  const cwd = payloads.map((payload) => textOf(payload, "cwd")).find((each) => each !== undefined) ?? null;
  return { cwd, branch: null, startedAt: items[0]?.receivedAt.toISOString() ?? null };
}

async function unlessConflict<Value, Other>(asked: Promise<Value>, otherwise: Other): Promise<Value | Other> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof SessionConflict) return otherwise;
    throw error;
  }
}

/** Returns the entry that says that a session went on or ended. */
function readStatus(
  { live }: SyncSite,
  item: InboxItem,
  ends: Awaited<ReturnType<typeof readEnds>>,
): NewEntry | undefined {
  const { session, event, payload, receivedAt: at } = item;
  const fields = isJsonObject(payload) ? payload : {};
  const end = ends.get(item);
  const say = (status: "resumed" | "ended" | "interrupted", name: string): NewEntry => {
    const told = textOf(fields, name);
    const data = told === undefined ? {} : { [name]: told };
    const id = `${status}-${at.getTime()}` as EntryId;
    return { kind: "event", event: status, data, id, at, strand: hookStrand };
  };
  if (end !== undefined) return say(end, "reason");
  // A fork of an older client begins in the name of its origin, in which nobody is then.
  const isThere = live === undefined || live.get(session) === "alive";
  const isResumed = event === "SessionStart" && fields.source === "resume" && isThere;
  return isResumed ? say("resumed", "source") : undefined;
}

interface News {
  readonly items: readonly InboxItem[];
  readonly seen: readonly Seen[];
}

async function addNotes(
  { ingestion }: SyncSite,
  session: SessionId,
  { outstanding, last, turn }: HookNotes,
  { items, seen }: News,
): Promise<HookNotes> {
  const held = await ingestion.held(
    session,
    outstanding.map(([, entry]) => foundId(entry)),
  );
  const found = new Set<EntryId>(held);
  const open = outstanding.filter(([, entry]) => !found.has(foundId(entry)));
  const added = seen.map(({ link, entry }) => [link, entry.id] as const);
  const events = items.map(({ event, receivedAt }) => ({ event, atMs: receivedAt.getTime() }));
  return {
    outstanding: [...open, ...added].slice(-outstandingLimit),
    last: [...(last === null ? [] : [last]), ...events].reduce((one, other) =>
      other.atMs >= one.atMs ? other : one,
    ),
    turn: followTurns(turn, items),
  };
}

/** What is known of a session besides the items that are read. */
interface Known {
  readonly session: SessionId;
  readonly notes: HookNotes;
  /** What hooks saw that is in no transcript. */
  readonly seen: readonly Seen[];
}

/** Returns how a session ended, for each item that tells of an end: in its own time, or cut off in a turn. */
async function readEnds(
  site: SyncSite,
  items: readonly InboxItem[],
  { session, notes, seen }: Known,
): Promise<ReadonlyMap<InboxItem, "ended" | "interrupted">> {
  const ends = items.filter(({ event }) => event === "SessionEnd");
  if (ends.length === 0) return new Map();
  const turn = await readTurn(site, session);
  const isLost = seen.some(({ entry }) => entry.kind === "event" && entry.event === "prompt-seen");
  return new Map(
    ends.map((item) => {
      const before = items[items.indexOf(item) - 1]?.event ?? notes.last?.event ?? null;
      const fields = isJsonObject(item.payload) ? item.payload : {};
      const reason = textOf(fields, "reason") ?? null;
      return [item, judgeEnd({ reason, lastEvent: before, turn: isLost ? "running" : turn })] as const;
    }),
  );
}

/** Returns where the turn of a session stands, as the transcript says that was written to last. */
export async function readTurn(site: SyncSite, session: SessionId): Promise<Turn | null> {
  const facts = (await readStates(site, session)).flatMap(({ agent, facts: each }) =>
    agent === null && each !== undefined ? [each] : [],
  );
  const byTime = facts.toSorted((one, other) => ((one.updatedAt ?? "") < (other.updatedAt ?? "") ? -1 : 1));
  return byTime.at(-1)?.turn ?? null;
}
