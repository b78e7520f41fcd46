import { AppError } from "../../lib/app-error.ts";
import { BrokenStretch, SessionChanged, SessionInUse, SessionNotFound } from "../../sessions/errors.ts";
import type { LinkedEntry, ReplicaHead, ReplicaSession } from "../../sessions/replica.ts";
import { recordClient } from "../../sessions/session.ts";
import type { Exchanged, ExchangeOutcome, ExchangeReport } from "../exchange-report.ts";
import {
  deliver,
  deliverWhole,
  describeJourney,
  isOfScrub,
  type Journey,
  MustArriveWhole,
  Parcel,
  type Piece,
  PlanIsStale,
} from "./deliver.ts";
import { type Plan, planSession, type Ways } from "./plan-session.ts";

interface CarrierOptions {
  readonly machine?: string | undefined;
  readonly targetMachine?: string | undefined;
  readonly now: Date;
  readonly batch?: number | undefined;
}

/** What became of what was carried. */
interface Carried extends Pick<ExchangeReport, "entries" | "scrubbed" | "changes"> {
  /** The sessions that are gone in one of the stores, of which there was nothing to bring. */
  readonly gone: ReadonlySet<string>;
}

/** How often a session is planned anew because somebody else changed it meanwhile. */
const mostAttempts = 5;

/** Carries sessions from one store to another, in transactions of a fair size. */
export class Carrier {
  readonly #ways: Ways;
  readonly #options: CarrierOptions;
  readonly #parcel: Parcel;
  /** Those that have to arrive in one go, at the end. */
  #whole: Journey[] = [];
  readonly #journeys: Journey[] = [];
  readonly #attempts = new Map<string, number>();
  readonly #others: Exchanged[] = [];
  /** Those that are gone here or there, so that there was nothing to do about them. */
  readonly #gone = new Set<string>();
  #scrubbed = 0;

  constructor(ways: Ways, options: CarrierOptions) {
    this.#ways = ways;
    this.#options = options;
    this.#parcel = new Parcel(options.batch);
  }

  /** Brings a session, or leaves it to the next flush. */
  async carry(head: ReplicaHead, relatives: readonly ReplicaHead[]): Promise<void> {
    try {
      await this.#follow(head, await planSession(this.#ways, head, relatives));
    } catch (error) {
      await this.#recover(head, error);
    }
  }

  /** Brings what was gathered. */
  async flush(): Promise<void> {
    const pieces = this.#parcel.take();
    if (pieces.length === 0) return;
    try {
      await deliver(this.#ways.target, pieces);
    } catch (error) {
      if (!isOfSession(error)) throw error;
      // Whichever it was, the others are brought without it.
      for (const own of Map.groupBy(pieces, ({ journey }) => journey).values()) await this.#deliverAlone(own);
    }
  }

  /** Brings what has to arrive in one go, and tells what became of everything. */
  async finish(): Promise<Carried> {
    await this.flush();
    const whole = this.#takeWhole();
    try {
      if (whole.length > 0) this.#scrubbed += await deliverWhole(this.#ways, whole, this.#options.now);
    } catch (error) {
      if (!isOfSession(error)) throw error;
      for (const journey of whole) await this.#bringWhole(journey);
    }
    for (let next = this.#takeWhole(); next.length > 0; next = this.#takeWhole())
      for (const journey of next) await this.#bringWhole(journey);
    const changes = [...this.#others, ...this.#journeys.flatMap(toExchanged)];
    const entries = changes.reduce((sum, each) => sum + each.entries, 0);
    return { entries, scrubbed: this.#scrubbed, changes, gone: this.#gone };
  }

  #takeWhole(): readonly Journey[] {
    const whole = this.#whole;
    this.#whole = [];
    return whole;
  }

  async #follow(head: ReplicaHead, plan: Plan): Promise<void> {
    switch (plan.type) {
      case "known":
        if (head.deletedAt !== null) this.#gone.add(head.session);
        return;
      case "gone":
        this.#gone.add(head.session);
        if (head.isOwn) this.#tell("withheld", head, head, { deletedAt: plan.there.deletedAt });
        else this.#tell("gone", head, plan.there);
        return;
      case "spare":
        this.#gone.add(head.session);
        this.#tellSpared(head, plan.spared);
        return;
      case "bury":
        await this.#bury(head, plan);
        return;
      case "describe":
        await this.#describe(head, plan);
        return;
      case "begin":
      case "extend":
        await this.#set(head, plan);
    }
  }

  #tellSpared(head: ReplicaHead, spared: readonly ReplicaHead[]): void {
    for (const each of spared) this.#tell("spared", head, each, head);
  }

  async #bury(head: ReplicaHead, { there, kept, spared }: Extract<Plan, { type: "bury" }>): Promise<void> {
    const tombstone = await this.#ways.source.tombstone(head.session);
    if (tombstone === undefined) return;
    await this.#ways.target.receive((intake) => intake.bury(tombstone, there));
    for (const each of there) this.#tell("deleted", head, each);
    for (const each of kept) this.#tell("kept", head, each, each.isOwn ? head : {});
    this.#tellSpared(head, spared);
  }

  async #describe(head: ReplicaHead, { there, entries }: Extract<Plan, { type: "describe" }>): Promise<void> {
    const { added } = await this.#ways.target.receive((intake) => intake.describe(there.session, entries));
    if (added > 0) this.#others.push({ ...toTold("described", head, there), entries: added });
  }

  async #set(head: ReplicaHead, plan: Journey["plan"]): Promise<void> {
    const { source } = this.#ways;
    const session = plan.type === "begin" ? await describeJourney(source, head) : undefined;
    const arrived = plan.type === "extend" ? plan.there.entries : startOf(plan, session);
    const journey: Journey = {
      ...{ head, plan, arrived, brought: 0, manner: "in-pieces" },
      targetMachine: this.#options.targetMachine,
      machine: head.machine ?? this.#options.machine ?? session?.machine ?? "elsewhere",
      arrivedAs: plan.type === "extend" ? plan.there.session : undefined,
    };
    this.#journeys.push(journey);
    if (head.entries === arrived) return this.#put({ journey, session, entries: [] });
    for await (const entries of source.read(head.session, { from: arrived + 1, to: head.entries }))
      if (!(await this.#putSome(journey, session, entries))) return;
  }

  /** Tells whether the journey goes on in pieces. */
  async #putSome(
    journey: Journey,
    session: ReplicaSession | undefined,
    entries: readonly LinkedEntry[],
  ): Promise<boolean> {
    const scrubbed = entries.findIndex(isOfScrub);
    const plain = scrubbed === -1 ? entries : entries.slice(0, scrubbed);
    if (plain.length > 0) await this.#put({ journey, session, entries: plain });
    if (scrubbed !== -1 && journey.manner === "in-pieces") {
      await this.flush();
      this.#leaveForLast(journey);
    }
    return journey.manner === "in-pieces";
  }

  #leaveForLast(journey: Journey): void {
    if (journey.manner !== "in-pieces") return;
    journey.manner = "whole";
    this.#whole.push(journey);
  }

  async #put(piece: Piece): Promise<void> {
    this.#parcel.put(piece);
    if (this.#parcel.isFull) await this.flush();
  }

  async #deliverAlone(pieces: readonly Piece[]): Promise<void> {
    const [first] = pieces;
    if (first === undefined) return;
    try {
      await deliver(this.#ways.target, pieces);
    } catch (error) {
      if (!isOfSession(error)) throw error;
      if (error instanceof MustArriveWhole) this.#leaveForLast(first.journey);
      else await this.#giveUp(first.journey, error);
    }
  }

  async #bringWhole(journey: Journey): Promise<void> {
    try {
      this.#scrubbed += await deliverWhole(this.#ways, [journey], this.#options.now);
    } catch (error) {
      if (!isOfSession(error)) throw error;
      await this.#giveUp(journey, error);
    }
  }

  /** What was planned cannot be done; what was brought before counts. */
  async #giveUp(journey: Journey, error: unknown): Promise<void> {
    journey.manner = "over";
    if (journey.brought === 0) this.#journeys.splice(this.#journeys.indexOf(journey), 1);
    await this.#recover(journey.head, error);
  }

  /** Plans a session anew if somebody else has changed it, and else tells why it cannot be brought. */
  async #recover(head: ReplicaHead, error: unknown): Promise<void> {
    if (!isOfSession(error)) throw error;
    if (error instanceof SessionInUse) return this.#tell("held", head, head, { reason: error.message });
    const attempt = (this.#attempts.get(head.session) ?? 0) + 1;
    this.#attempts.set(head.session, attempt);
    if (attempt >= mostAttempts) return this.#tell("failed", head, head, { reason: describe(error) });
    if (isDamage(error)) return this.#tell("failed", head, head, { reason: describe(error) });
    await this.flush();
    const [now] = (await Array.fromAsync(this.#ways.source.heads({ sessions: [head.session] }))).flat();
    if (now !== undefined) await this.carry(now, await this.#ways.target.relatives([now.knownAs]));
  }

  #tell(
    type: ExchangeOutcome,
    head: ReplicaHead,
    there: ReplicaHead,
    { reason, deletedAt }: { readonly reason?: string; readonly deletedAt?: Date | null } = {},
  ): void {
    this.#others.push({
      ...toTold(type, head, there),
      ...(reason === undefined ? {} : { reason }),
      ...(deletedAt == null ? {} : { deletedAt }),
    });
  }
}

function toTold(
  type: ExchangeOutcome,
  { knownAs, client }: ReplicaHead,
  { session }: ReplicaHead,
): Exchanged {
  return { type, session, knownAs, client, entries: 0 };
}

/** Where a session begins that is not there yet: after what it shares with what is. */
function startOf({ parting }: Extract<Plan, { type: "begin" }>, session: ReplicaSession | undefined): number {
  return parting?.seq ?? session?.forkedFrom?.seq ?? 0;
}

/** Tells whether an error concerns one session, so that the others can be brought all the same. */
function isOfSession(error: unknown): boolean {
  if (error instanceof PlanIsStale || error instanceof MustArriveWhole) return true;
  if (error instanceof BrokenStretch || error instanceof SessionChanged || error instanceof SessionInUse)
    return true;
  return error instanceof SessionNotFound || isDamage(error);
}

/** What is damaged where it comes from stays damaged. */
function isDamage(error: unknown): boolean {
  return (
    error instanceof AppError && ["session-damaged", "entry-damaged", "entry-missing"].includes(error.code)
  );
}

function describe(error: unknown): string {
  return error instanceof AppError ? error.message : "somebody else changes it all the time";
}

function toExchanged({ head, plan, arrivedAs, brought }: Journey): readonly Exchanged[] {
  if (arrivedAs === undefined) return [];
  const { knownAs, client } = head;
  // Records are nobody's sessions: each machine has its own, and their names are of no account.
  const hasItsId = arrivedAs === knownAs || client === recordClient;
  return [{ type: outcomeOf(plan, hasItsId), session: arrivedAs, knownAs, client, entries: brought }];
}

function outcomeOf(plan: Journey["plan"], hasItsId: boolean): ExchangeOutcome {
  if (plan.type === "extend") return "extended";
  if (plan.parting !== undefined) return "parted";
  if (hasItsId) return "added";
  const isReturning =
    plan.relatives.length > 0 && plan.relatives.every(({ deletedAt }) => deletedAt !== null);
  return isReturning ? "returned" : "renamed";
}
