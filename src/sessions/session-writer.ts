import { readOwnIdentity } from "../lib/process-identity.ts";
import type { ConversationLog, Receipt } from "./conversation-log.ts";
import type { NewEntry } from "./entry.ts";
import { LeaseExpired } from "./errors.ts";
import type { SessionId } from "./ids.ts";
import type { Lease, Leases } from "./lease.ts";
import type { NewSession, Session } from "./session.ts";

/** The session that a program of ours writes. */
export interface SessionTarget {
  readonly session: SessionId;
  /** When it last changed, or began. */
  readonly since: Date;
  /** Appends like a writer; a session that is new is made with its first entries, so that there is never an empty one. */
  readonly append: (entries: readonly NewEntry[]) => Promise<readonly Receipt[]>;
  /** Gives the session back. One that is not given back is seen as interrupted as soon as this process has ended. */
  readonly release: () => Promise<void>;
}

/** Takes a session that is there, or is refused at once. */
export async function holdSession(
  store: WritableStore,
  { id, updatedAt }: Pick<Session, "id" | "updatedAt">,
  lease: WriterOptions,
): Promise<SessionTarget> {
  const writer = await openWriter(store, id, lease);
  return {
    session: id,
    since: updatedAt,
    append: writer.append,
    release: async () => writer[Symbol.asyncDispose](),
  };
}

/** Makes and takes a session when it has its first entries. */
export function beginSession(store: WritableStore, start: NewSession, lease: WriterOptions): SessionTarget {
  let writer: SessionWriter | undefined;
  return {
    session: start.id,
    since: start.startedAt,
    append: async (entries) => {
      if (writer !== undefined) return writer.append(entries);
      const { receipts } = await store.log.open(start, entries);
      writer = await openWriter(store, start.id, lease);
      return receipts;
    },
    release: async () => writer?.[Symbol.asyncDispose](),
  };
}

/** The two ports that a writer needs; a store has both. */
export interface WritableStore {
  readonly log: ConversationLog;
  readonly leases: Leases;
}

export interface WriterOptions {
  /** What the others are told: `carryon append`. */
  readonly program: string;
  readonly now: Date;
  /** How long the session stays held when this machine falls silent; a minute unless given. */
  readonly leaseMs?: number;
}

/** The one process that appends to a session. */
export interface SessionWriter extends AsyncDisposable {
  readonly session: SessionId;
  /** Appends like the log; throws `LeaseLost` once another process has taken the session over. */
  append(entries: readonly NewEntry[]): Promise<readonly Receipt[]>;
}

const defaultLeaseMs = 60_000;

/** Takes the lease of a session and keeps it until it is disposed of; throws `SessionInUse` when another process has it. */
export async function openWriter(
  { log, leases }: WritableStore,
  session: SessionId,
  { program, now, leaseMs = defaultLeaseMs }: WriterOptions,
): Promise<SessionWriter> {
  const holder = { process: await readOwnIdentity(), program, since: now };
  const lease = await leases.acquire(session, { holder, forMs: leaseMs });
  const stopRenewing = keepRenewing(leases, lease);
  return {
    session,
    append: (entries) => appendHeld(log, leases, lease, entries),
    [Symbol.asyncDispose]: async () => {
      stopRenewing();
      // What cannot be given back now is free as soon as this process has ended, or when it has run out.
      await leases.end(lease).catch(() => undefined);
    },
  };
}

/** Renews a lease from time to time, without keeping the process alive for it. */
function keepRenewing(leases: Leases, lease: Lease): () => void {
  const timer = setInterval(() => {
    // Whoever lost it, or cannot reach the store, is told at the next append.
    leases.renew(lease).catch(() => undefined);
  }, lease.forMs / 3);
  timer.unref();
  return () => clearInterval(timer);
}

/** A machine that slept goes on with its lease if nobody has taken it meanwhile. */
async function appendHeld(
  log: ConversationLog,
  leases: Leases,
  lease: Lease,
  entries: readonly NewEntry[],
): Promise<readonly Receipt[]> {
  try {
    return await log.append(lease, entries);
  } catch (error) {
    if (!(error instanceof LeaseExpired)) throw error;
    await leases.renew(lease);
    return log.append(lease, entries);
  }
}
