import { SessionConflict } from "../../sessions/errors.ts";
import { parseSessionId, type SessionId } from "../../sessions/ids.ts";
import {
  type Intake,
  isSameHash,
  type LinkedEntry,
  type Replica,
  type ReplicaHead,
  type ReplicaSession,
  type SharedBase,
} from "../../sessions/replica.ts";
import { readScrubNote } from "../../sessions/scrub-note.ts";
import { listNames } from "../../sessions/take-session.ts";
import type { Plan, Ways } from "./plan-session.ts";

/** What goes into one transaction: enough to be fast, little enough to be done soon. */
const usualEntries = 1000;
const mostCharacters = 4 * 1024 * 1024;

/** Pieces that are gathered until they are worth a transaction. */
export class Parcel {
  readonly #mostEntries: number;
  #pieces: Piece[] = [];
  #entries = 0;
  #characters = 0;

  constructor(mostEntries = usualEntries) {
    this.#mostEntries = mostEntries;
  }

  get isFull(): boolean {
    return this.#entries >= this.#mostEntries || this.#characters >= mostCharacters;
  }

  put(piece: Piece): void {
    this.#pieces.push(piece);
    // One without entries is a row all the same.
    this.#entries += piece.entries.length + 1;
    this.#characters += piece.entries.reduce((sum, { body }) => sum + body.length, 0);
  }

  /** Returns what was gathered and begins anew. */
  take(): readonly Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#entries = 0;
    this.#characters = 0;
    return pieces;
  }
}

/** A session on its way from one store to another. */
export interface Journey {
  readonly head: ReplicaHead;
  readonly plan: Extract<Plan, { type: "begin" | "extend" }>;
  /** The machine that it comes from. */
  readonly machine: string;
  /** The machine whose own store it comes to; undefined for a store that others use. */
  readonly targetMachine: string | undefined;
  /** The id that it has there; undefined as long as it is not there. */
  arrivedAs: SessionId | undefined;
  /** The last entry that is there. */
  arrived: number;
  /** How many entries were brought. */
  brought: number;
  /** Whether it goes on in pieces, has to arrive in one go, or is over. */
  manner: "in-pieces" | "whole" | "over";
}

/** Tells whether an entry has been scrubbed, or says that others were: such a session arrives whole or not at all. */
export function isOfScrub({ kind, body, scrubbedFrom }: LinkedEntry): boolean {
  return scrubbedFrom !== null || (kind === "event" && readScrubNote(body).length > 0);
}

/** What is there is not what the plan was made for: it is to be made anew. */
export class PlanIsStale extends Error {}

/** The session has to arrive in one go. */
export class MustArriveWhole extends Error {}

/** What a session is where it comes from, in the terms of all stores: a copy is no fork for anybody else. */
export async function describeJourney(source: Replica, head: ReplicaHead): Promise<ReplicaSession> {
  const known = await source.find(head.session);
  if (known?.type !== "there") throw new PlanIsStale();
  const { copyForkedFrom, ...session } = known.session;
  const { forkedFrom } = copyForkedFrom === undefined ? session : { forkedFrom: copyForkedFrom };
  if (forkedFrom === null) return { ...session, forkedFrom };
  const origin = await source.find(forkedFrom.session);
  const knownAs = origin?.type === "there" ? (origin.session.knownAs ?? origin.session.id) : undefined;
  // One of an earlier version does not say that it is a copy.
  if (knownAs === head.knownAs) return { ...session, forkedFrom: null };
  return { ...session, forkedFrom: { ...forkedFrom, session: knownAs ?? forkedFrom.session } };
}

/** A session that was made in a store, and how many of its entries it shares there. */
interface Begun {
  readonly id: SessionId;
  readonly from: number;
}

/** Makes a session in the target; the entries come afterwards. */
async function beginSession(intake: Intake, journey: Journey, session: ReplicaSession): Promise<Begun> {
  const { head, plan } = journey;
  if (plan.type !== "begin") throw new PlanIsStale();
  const { parting } = plan;
  // Asked together; the first lets nobody else change what the second finds.
  const [relatives, id] = await Promise.all([intake.relatives(head.knownAs), chooseId(intake, journey)]);
  if (!isSameFamily(relatives, plan.relatives)) throw new PlanIsStale();
  const named = { ...session, id, ...(id === head.knownAs ? {} : { knownAs: head.knownAs }) };
  if (parting !== undefined) {
    const { session: from, seq, entry, hash } = parting;
    const forkedFrom = { session: from, seq, entry, hash };
    const base = { session: from, seq, isSameSession: true } as const;
    await intake.begin({ ...named, clientSessionId: null, forkedFrom }, base);
    return { id, from: seq };
  }
  const base = await findBase(intake, session);
  const forkedFrom = session.forkedFrom && {
    ...session.forkedFrom,
    session: base?.session ?? session.forkedFrom.session,
  };
  const begun = session.machine === journey.targetMachine ? ({ begun: "here" } as const) : {};
  await intake.begin({ ...named, ...begun, forkedFrom }, base);
  return { id, from: base?.seq ?? 0 };
}

function isSameFamily(one: readonly ReplicaHead[], other: readonly ReplicaHead[]): boolean {
  const toText = (heads: readonly ReplicaHead[]) =>
    heads
      .map(({ session, head, deletedAt }) => `${session} ${head} ${deletedAt === null}`)
      .sort()
      .join();
  return toText(one) === toText(other);
}

/** Its own id, else the one that it has where it comes from, else one with the name of the machine. */
async function chooseId(intake: Intake, { head, machine }: Journey): Promise<SessionId> {
  for (const id of [head.knownAs, head.session, ...listNames(head.knownAs, machine)])
    if ((await intake.find(parseSessionId(id))) === undefined) return id;
  throw new SessionConflict(head.knownAs, "too many sessions of this name are there already");
}

/** Returns the session in the target that has what a fork shares with its origin, whatever it is called there. */
async function findBase(intake: Intake, { forkedFrom }: ReplicaSession): Promise<SharedBase | null> {
  if (forkedFrom === null) return null;
  const { seq, hash } = forkedFrom;
  for (const { session, entries, deletedAt } of await intake.relatives(forkedFrom.session)) {
    if (deletedAt !== null || entries < seq) continue;
    if (isSameHash((await intake.hashes(session, seq, seq))[0], hash)) return { session, seq };
  }
  return null;
}

/** Entries of one session that arrive together. */
export interface Piece {
  readonly journey: Journey;
  readonly session: ReplicaSession | undefined;
  readonly entries: readonly LinkedEntry[];
}

/** Brings some entries into the target; all of them or none. */
export async function deliver(target: Replica, pieces: readonly Piece[]): Promise<void> {
  const ids = await target.receive(async (intake) => {
    const arrived = new Map<Journey, SessionId>();
    for (const piece of pieces) arrived.set(piece.journey, await deliverPiece(intake, piece, arrived));
    return arrived;
  });
  for (const { journey, entries } of pieces) {
    journey.arrivedAs = ids.get(journey);
    journey.brought += entries.length;
    journey.arrived = entries.at(-1)?.seq ?? journey.arrived;
  }
}

async function deliverPiece(
  intake: Intake,
  { journey, session, entries }: Piece,
  arrived: ReadonlyMap<Journey, SessionId>,
): Promise<SessionId> {
  const there = arrived.get(journey) ?? journey.arrivedAs;
  const begun =
    there === undefined && session !== undefined ? await beginSession(intake, journey, session) : undefined;
  const id = there ?? begun?.id;
  if (id === undefined) throw new PlanIsStale();
  // What it shares with its origin is not there, and would come in pieces that do not tell whose they are.
  if (begun !== undefined && begun.from < (session?.forkedFrom?.seq ?? 0)) throw new MustArriveWhole();
  if (entries.length === 0) return id;
  if ((await intake.add(id, entries, journey.machine)) > 0) throw new MustArriveWhole();
  return id;
}

/** What arrived of a session. */
interface Arrived {
  readonly journey: Journey;
  readonly id: SessionId;
  readonly entries: number;
  /** The entries that were scrubbed, as notes among those that arrived say. */
  readonly scrubbed: ReadonlySet<string>;
}

/**
 * Brings the rest of sessions in one go: those of which something was scrubbed, here or there, and forks without origin.
 *
 * All notes arrive before any body is replaced, so that no session gets a second note, by which the stores would part.
 * Returns how many bodies were replaced.
 */
export async function deliverWhole(ways: Ways, journeys: readonly Journey[], at: Date): Promise<number> {
  const { arrived, replaced } = await ways.target.receive(async (intake) => {
    const arrived: Arrived[] = [];
    for (const journey of journeys) arrived.push(await bring(ways, intake, journey));
    let replaced = 0;
    for (const { journey, id, scrubbed } of arrived)
      replaced += await intake.replace(id, await readScrubbed(ways, journey, scrubbed), at);
    for (const { id } of arrived) await intake.finish(id, at);
    return { arrived, replaced };
  });
  for (const { journey, id, entries } of arrived) {
    journey.arrivedAs = id;
    journey.arrived = journey.head.entries;
    journey.brought += entries;
  }
  return replaced;
}

async function bring({ source }: Ways, intake: Intake, journey: Journey): Promise<Arrived> {
  const { head, machine, arrivedAs, arrived } = journey;
  const begun =
    arrivedAs === undefined
      ? await beginSession(intake, journey, await describeJourney(source, head))
      : { id: arrivedAs, from: arrived };
  const scrubbed = new Set<string>();
  let entries = 0;
  for await (const batch of source.read(head.session, { from: begun.from + 1, to: head.entries })) {
    await intake.add(begun.id, batch, machine);
    entries += batch.length;
    for (const { kind, body } of batch)
      if (kind === "event") for (const { id } of readScrubNote(body)) scrubbed.add(id);
  }
  return { journey, id: begun.id, entries, scrubbed };
}

/** Returns entries as they are where they were scrubbed. */
async function readScrubbed(
  { source }: Ways,
  { head }: Journey,
  ids: ReadonlySet<string>,
): Promise<readonly LinkedEntry[]> {
  if (ids.size === 0) return [];
  const found: LinkedEntry[] = [];
  for await (const batch of source.read(head.session, { to: head.entries }))
    found.push(...batch.filter(({ id, scrubbedFrom }) => scrubbedFrom !== null && ids.has(id)));
  return found;
}
