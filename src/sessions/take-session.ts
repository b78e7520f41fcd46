import { toSlug } from "../lib/slug.ts";
import { chainStart } from "./chain.ts";
import { SessionConflict } from "./errors.ts";
import { type EntryId, parseSessionId, type SessionId } from "./ids.ts";
import type { Intake, LinkedEntry, ReplicaSession, SharedBase } from "./replica.ts";

/** A session that comes from another store; its chain was followed from the first entry to its head. */
export interface Arrival {
  readonly session: ReplicaSession;
  /** The machine that it comes from; a copy that went its own way is named after it. */
  readonly machine: string;
  /** Streams its entries from the first on; may be asked for more than once. */
  readonly entries: () => AsyncIterable<readonly LinkedEntry[]>;
}

/** What became of an arrival. */
export type TakenSession = {
  /** The id under which it is here. */
  readonly session: SessionId;
  /** The id that it came with. */
  readonly from: SessionId;
} & (
  | { readonly type: "added" | "extended" | "parted"; readonly added: number; readonly redacted: number }
  /** All of it was here; `more` is how much is here after it: entries, or messages where the format tells of nothing else. */
  | { readonly type: "known"; readonly more: number }
  /** It was deleted here, and does not come back. */
  | { readonly type: "deleted" }
);

/** Where an arrival and a session that is here part: the last entry that both have; none before the first. */
interface Parting {
  readonly session: SessionId;
  readonly seq: number;
  readonly hash: string;
  readonly entry: EntryId | null;
}

/** Copies of one session that all went their own ways are made beside it, up to so many. */
const mostCopies = 100;

/**
 * Takes a session in: what is here already is left as it is, what is longer goes on, what went another way becomes a fork
 * beside it at the point where the chains part, and another session of the same id a session beside it.
 */
export async function takeSession(intake: Intake, arrival: Arrival, at: Date): Promise<TakenSession> {
  const { session } = arrival;
  let parting: Parting | undefined;
  for (const id of listNames(session.id, arrival.machine)) {
    const names = { session: id, from: session.id };
    const known = await intake.find(id);
    if (known?.type === "deleted") return { type: "deleted", ...names };
    if (known === undefined) {
      const begun = await begin(intake, arrival, { id, parting });
      return { ...begun, ...names, redacted: await intake.finish(id, at) };
    }
    if (await isHere(intake, known.session, session))
      return { type: "known", ...names, more: known.session.entries - session.entries };
    const extended = await extend(intake, known.session, arrival);
    if (extended.type === "extended") return { ...extended, ...names, redacted: await intake.finish(id, at) };
    if (extended.parting.seq > (parting?.seq ?? 0)) parting = extended.parting;
  }
  throw new SessionConflict(session.id, `${mostCopies} sessions of this name are here already`);
}

/** Yields the id of a session, then those of its copies. */
export function* listNames(id: SessionId, machine: string): Generator<SessionId> {
  yield id;
  const suffix = toSlug(machine).slice(0, 40).replace(/-$/, "") || "copy";
  for (let number = 1; number < mostCopies; number += 1) {
    const end = number === 1 ? `-${suffix}` : `-${suffix}-${number}`;
    yield parseSessionId(`${id.slice(0, 128 - end.length)}${end}`);
  }
}

/** Tells whether all of an arrival is in a session: equal hashes mean that everything before them is equal too. */
async function isHere(
  intake: Intake,
  known: ReplicaSession,
  { entries, ...session }: ReplicaSession,
): Promise<boolean> {
  if (entries === 0) return isSameStart(known, session);
  return entries <= known.entries && (await intake.hashes(known.id, entries, entries))[0] === session.head;
}

/** Without an entry in common, two sessions are the same only if they began at the same moment, in the same client. */
function isSameStart(one: Start, other: Start): boolean {
  return one.startedAt.getTime() === other.startedAt.getTime() && one.client === other.client;
}

type Start = Pick<ReplicaSession, "startedAt" | "client">;

type Extended =
  | { readonly type: "extended"; readonly added: number }
  | { readonly type: "parted"; readonly parting: Parting };

/** Goes along a session that is here and adds what comes after its end; stops where the two part. */
async function extend(intake: Intake, known: ReplicaSession, arrival: Arrival): Promise<Extended> {
  const { id, entries } = known;
  let parting: Parting = { session: id, seq: 0, hash: chainStart, entry: null };
  if (entries === 0 && !isSameStart(known, arrival.session)) return { type: "parted", parting };
  const rest = new Rest(intake, id, arrival.session);
  for await (const batch of arrival.entries()) {
    const hashes = await intake.hashes(id, parting.seq + 1, Math.min(parting.seq + batch.length, entries));
    for (const [index, hash] of hashes.entries()) {
      const entry = batch[index];
      if (entry?.hash !== hash) return { type: "parted", parting };
      parting = { session: id, seq: entry.seq, hash, entry: entry.id };
    }
    await rest.add(batch.slice(hashes.length));
  }
  // It is shorter than what is here, and equal so far: then all of it would have been known.
  if (parting.seq < entries) return { type: "parted", parting };
  return { type: "extended", added: rest.end() };
}

async function begin(
  intake: Intake,
  arrival: Arrival,
  { id, parting }: { readonly id: SessionId; readonly parting: Parting | undefined },
): Promise<{ readonly type: "added" | "parted"; readonly added: number }> {
  const { session } = arrival;
  if (parting?.entry == null) {
    const base = await findBase(intake, session);
    await intake.begin({ ...session, ...knownAs(session, id), id }, base);
    return { type: "added", added: await addAfter(intake, arrival, { id, after: base?.seq ?? 0 }) };
  }
  const forkedFrom = { ...parting, entry: parting.entry };
  const copy = { ...session, ...knownAs(session, id), id, clientSessionId: null, forkedFrom };
  await intake.begin(copy, { ...parting, isSameSession: true });
  return { type: "parted", added: await addAfter(intake, arrival, { id, after: parting.seq }) };
}

/** A session that gets another id here is still known elsewhere by the one that it came with. */
function knownAs(session: ReplicaSession, id: SessionId): Pick<ReplicaSession, "knownAs"> {
  return session.id === id ? {} : { knownAs: session.knownAs ?? session.id };
}

/** Returns the origin of a fork if it is here and has what the fork shares with it. */
async function findBase(intake: Intake, { forkedFrom }: ReplicaSession): Promise<SharedBase | null> {
  if (forkedFrom === null) return null;
  const origin = await intake.find(forkedFrom.session);
  if (origin?.type !== "there" || origin.session.entries < forkedFrom.seq) return null;
  const [hash] = await intake.hashes(forkedFrom.session, forkedFrom.seq, forkedFrom.seq);
  return hash === forkedFrom.hash ? forkedFrom : null;
}

async function addAfter(
  intake: Intake,
  arrival: Arrival,
  { id, after }: { readonly id: SessionId; readonly after: number },
): Promise<number> {
  const rest = new Rest(intake, id, arrival.session);
  for await (const batch of arrival.entries()) await rest.add(batch.filter(({ seq }) => seq > after));
  return rest.end();
}

/** The entries of an arrival that are new, up to where it is to end. */
class Rest {
  readonly #intake: Intake;
  readonly #id: SessionId;
  readonly #session: ReplicaSession;
  #added = 0;
  #head: string | null | undefined;

  constructor(intake: Intake, id: SessionId, session: ReplicaSession) {
    this.#intake = intake;
    this.#id = id;
    this.#session = session;
  }

  async add(entries: readonly LinkedEntry[]): Promise<void> {
    const wanted = entries.filter(({ seq }) => seq <= this.#session.entries);
    if (wanted.length === 0) return;
    await this.#intake.add(this.#id, wanted);
    this.#added += wanted.length;
    this.#head = wanted.at(-1)?.hash;
  }

  /** Returns how many were added; throws if they are not those that were announced. */
  end(): number {
    if (this.#head !== undefined && this.#head !== this.#session.head)
      throw new SessionConflict(this.#session.id, "it changed while it was being read");
    return this.#added;
  }
}
