import { hash } from "node:crypto";
import type { JsonObject } from "../../sessions/entry.ts";
import { blocksOf, type ChainRow, objectOf, textOf } from "./wire.ts";

/** A link of the conversation, as far as the others need it. */
export interface Seat {
  readonly at: number;
  readonly line: number;
  /** Whether the client can read the row as it is. */
  readonly isRead: boolean;
  readonly uuid: string;
  readonly parent: string | null;
  /** The entry that was made of it, or that it was made of. */
  readonly entry: string;
  /** Whether it is of the conversation whose file it is, and not of another strand. */
  readonly isTalk: boolean;
  /** Whether it is a prompt, an answer or a result. */
  readonly isSaid: boolean;
  /** The message of the model that it is a piece of. */
  readonly message: string | undefined;
  readonly calls: readonly string[];
  readonly results: readonly string[];
  /** The rows that the compaction kept that begins with it. */
  readonly kept: readonly string[];
}

/** A row whose text may have to be changed or repeated. */
export interface OpenSeat {
  readonly seat: Seat;
  readonly text: string;
}

/** The rows of a conversation in the order of a file. */
export class Seats {
  readonly #agent: string | null;
  readonly all: Seat[] = [];
  readonly byUuid = new Map<string, Seat>();
  /** The rows whose parent did not stand before them. */
  readonly late: OpenSeat[] = [];
  /** Calls without a result. */
  readonly open = new Map<string, OpenSeat>();
  readonly #answered = new Set<string>();
  readonly #digests = new Map<string, string>();
  #lastPrompt = 0;
  #lastAnswer: Seat | undefined;

  constructor(agent: string | null) {
    this.#agent = agent;
  }

  /** Takes a row; tells whether it only repeats one. */
  add(row: ChainRow, place: Pick<Seat, "line" | "isRead">, text: string): boolean {
    const { uuid, parentUuid } = row;
    const digest = hash("sha1", text);
    const known = this.#digests.get(uuid);
    // One that came again with other content says more than the first.
    if (known !== undefined) return known === digest;
    this.#digests.set(uuid, digest);
    const seat = this.#toSeat(row, place);
    if (parentUuid === null || !this.byUuid.has(parentUuid)) this.late.push({ seat, text });
    this.byUuid.set(uuid, seat);
    this.all.push(seat);
    if (seat.isTalk) this.#follow(row, seat, text);
    return false;
  }

  /** Lets a row of the store stand for the one with its id. */
  swap({ at, line, isRead, calls }: Seat, row: ChainRow, text: string): void {
    const seat = { ...this.#toSeat(row, { line, isRead }), at };
    this.all[at] = seat;
    this.byUuid.set(seat.uuid, seat);
    for (const call of calls) this.open.delete(call);
    this.#follow(row, seat, text);
  }

  /** Says that a call has a result. */
  answer(call: string): void {
    this.#answered.add(call);
    this.open.delete(call);
  }

  /** Returns the calls without a result after which the talk went on: the client drops them. */
  get passed(): readonly (readonly [call: string, OpenSeat])[] {
    const last = this.#lastAnswer;
    return [...this.open].filter(
      ([, { seat }]) =>
        this.#lastPrompt > seat.line ||
        (last !== undefined && last.line > seat.line && last.message !== seat.message),
    );
  }

  /** Returns the row before one in the same conversation. */
  before({ at, isTalk }: Seat, isMeant: (seat: Seat) => boolean = () => true): Seat | undefined {
    for (let index = at - 1; index >= 0; index -= 1) {
      const seat = this.all[index];
      if (seat?.isTalk === isTalk && isMeant(seat)) return seat;
    }
    return undefined;
  }

  /** Returns the entries that the client loads: those on the way to the first row, and what belongs to them. */
  findLoaded(): ReadonlySet<string> {
    const found = this.#climb();
    const messages = new Set([...found].flatMap(({ message }) => message ?? []));
    const calls = new Set([...found].flatMap((each) => each.calls));
    const kept = new Set([...found].flatMap((each) => each.kept));
    const belongs = ({ message = "", uuid, results }: Seat) =>
      messages.has(message) || kept.has(uuid) || results.some((call) => calls.has(call));
    for (const each of this.all) if (each.isRead && belongs(each)) found.add(each);
    for (const [, { seat }] of this.passed) found.delete(seat);
    return new Set([...found].flatMap(({ entry, uuid }) => [entry, uuid]));
  }

  /** Goes from the last row to the first as the client does, which takes the row before for a parent that is nowhere. */
  #climb(): Set<Seat> {
    const found = new Set<Seat>();
    const isNew = (seat: Seat) => seat.isRead && !found.has(seat);
    for (let seat = this.all.findLast((each) => each.isTalk && each.isRead); seat !== undefined; ) {
      found.add(seat);
      if (seat.parent === null) return found;
      const parent = this.byUuid.get(seat.parent);
      seat = parent !== undefined && isNew(parent) ? parent : this.before(seat, isNew);
    }
    return found;
  }

  #follow({ type, fields }: ChainRow, seat: Seat, text: string): void {
    for (const call of seat.calls) if (!this.#answered.has(call)) this.open.set(call, { seat, text });
    for (const call of seat.results) this.answer(call);
    if (type === "assistant") this.#lastAnswer = seat;
    else if (type === "user" && seat.results.length === 0 && fields.isMeta !== true)
      this.#lastPrompt = seat.line;
  }

  #toSeat({ uuid, type, parentUuid: parent, fields }: ChainRow, place: Pick<Seat, "line" | "isRead">): Seat {
    const message = objectOf(fields, "message");
    const blocks = type === "user" || type === "assistant" ? blocksOf(message.content) : [];
    const { uuids } = objectOf(objectOf(fields, "compactMetadata"), "preservedMessages");
    return {
      ...{ ...place, at: this.all.length, uuid, parent, entry: entryOf(fields) },
      isTalk: (fields.isSidechain === true) === (this.#agent !== null) && type !== "progress",
      isSaid: type === "user" || type === "assistant",
      message: type === "assistant" ? textOf(message, "id") : undefined,
      calls: blocks.flatMap((block) => (block.type === "tool_use" ? (textOf(block, "id") ?? []) : [])),
      results: blocks.flatMap((block) => textOf(block, "tool_use_id") ?? []),
      kept: Array.isArray(uuids) ? uuids.filter((each) => typeof each === "string") : [],
    };
  }
}

/** Returns the entry that a row was made of, as it says, or that is made of it. */
export function entryOf(fields: JsonObject): string {
  return textOf(objectOf(fields, "forkedFrom"), "messageUuid") ?? textOf(fields, "uuid") ?? "";
}
