import { hash } from "node:crypto";
import type { JsonObject } from "../../sessions/entry.ts";
import { readContent } from "./read-content.ts";
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
  /** Whether it is something that a user said. */
  readonly isPrompt: boolean;
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
  readonly line: number;
  readonly text: string;
}

/** The rows of a conversation in the order of a file. */
export class Seats {
  readonly #agent: string | null;
  /** The rows that entries follow in the store. */
  readonly #stored: ReadonlyMap<string, string | undefined>;
  /** The ids and the entries of all rows so far. */
  readonly #ids = new Set<string>();
  readonly all: Seat[] = [];
  readonly byUuid = new Map<string, Seat>();
  /** The rows that do not stand behind their parent, or behind that in the store. */
  readonly late = new Map<string, OpenSeat>();
  /** Calls without a result. */
  readonly open = new Map<string, OpenSeat>();
  readonly #answered = new Set<string>();
  readonly #digests = new Set<string>();
  #lastPrompt = 0;
  #lastAnswer: Seat | undefined;

  constructor(agent: string | null, stored: ReadonlyMap<string, string | undefined>) {
    this.#agent = agent;
    this.#stored = stored;
  }

  /** Takes a row; tells whether it only repeats one. */
  add(row: ChainRow, place: Pick<Seat, "line" | "isRead">, text: string): boolean {
    const { uuid, parentUuid: parent } = row;
    const { size } = this.#digests;
    if (this.#digests.add(hash("sha1", text)).size === size) return true;
    const known = this.byUuid.get(uuid);
    // One that came again with other content says more than the first. Behind another parent it was joined from two rows.
    if (known !== undefined && parent !== known.parent && this.byUuid.has(known.parent ?? "")) return true;
    const seat = known === undefined ? this.#toSeat(row, place) : { ...known, parent };
    const stored = this.#stored.get(uuid) ?? this.#stored.get(seat.entry);
    this.late.delete(uuid);
    if (!this.byUuid.has(parent ?? "") || (stored !== undefined && !this.#ids.has(stored)))
      this.late.set(uuid, { seat, line: place.line, text });
    this.byUuid.set(uuid, seat);
    this.#ids.add(seat.entry).add(uuid);
    this.all[seat.at] = seat;
    if (seat.isTalk && known === undefined) this.#follow(row, seat, text);
    return false;
  }

  /** Tells whether a row with this text was taken. */
  has(text: string): boolean {
    return this.#digests.has(hash("sha1", text));
  }

  /** Lets a row of the store stand for the one with its id. */
  swap({ at, line, isRead, calls }: Seat, row: ChainRow, text: string): void {
    const seat = { ...this.#toSeat(row, { line, isRead }), at };
    this.all[at] = seat;
    this.byUuid.set(seat.uuid, seat);
    this.late.delete(seat.uuid);
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
    for (const call of seat.calls)
      if (!this.#answered.has(call)) this.open.set(call, { seat, line: seat.line, text });
    for (const call of seat.results) this.answer(call);
    if (type === "assistant") this.#lastAnswer = seat;
    else if (type === "user" && seat.results.length === 0 && fields.isMeta !== true)
      this.#lastPrompt = seat.line;
  }

  #toSeat(row: ChainRow, place: Pick<Seat, "line" | "isRead">): Seat {
    const { uuid, type, parentUuid: parent, fields } = row;
    const message = objectOf(fields, "message");
    const blocks = type === "user" || type === "assistant" ? blocksOf(message.content) : [];
    const results = blocks.flatMap((block) => textOf(block, "tool_use_id") ?? []);
    const { uuids } = objectOf(objectOf(fields, "compactMetadata"), "preservedMessages");
    return {
      ...{ ...place, at: this.all.length, uuid, parent, entry: entryOf(fields) },
      isTalk: (fields.isSidechain === true) === (this.#agent !== null) && type !== "progress",
      isPrompt: type === "user" && results.length === 0 && readContent(row)?.kind === "message",
      message: type === "assistant" ? textOf(message, "id") : undefined,
      calls: blocks.flatMap((block) => (block.type === "tool_use" ? (textOf(block, "id") ?? []) : [])),
      results,
      kept: Array.isArray(uuids) ? uuids.filter((each) => typeof each === "string") : [],
    };
  }
}

/** Returns the entry that a row was made of, as it says, or that is made of it. */
export function entryOf(fields: JsonObject): string {
  return textOf(objectOf(fields, "forkedFrom"), "messageUuid") ?? textOf(fields, "uuid") ?? "";
}
