import type { JsonObject } from "../../sessions/entry.ts";
import type { EntryId } from "../../sessions/ids.ts";
import { isQueuedEntry } from "./prompt-queue.ts";
import { entryOf, type Seat, type Seats } from "./seats.ts";
import { textOf } from "./wire.ts";

/** A row that the store would write into a file, and the row of the file that stands for it. */
export interface StoredRow {
  readonly row: JsonObject;
  /** Its place among the rows of the store. */
  readonly at: number;
  /** Its id in the mended file. */
  readonly uuid: string;
  /** Undefined where only the store has it. */
  readonly seat: Seat | undefined;
}

/** The rows that the store would write into a file, matched with those that the file has. */
export class StoredRows {
  readonly all: StoredRow[] = [];
  readonly #seats: Seats;
  /** The last row of the file that the store has. */
  #lastKnown = -1;
  readonly #byId = new Map<string, StoredRow>();
  /** The parents of rows, as the store knows them, by their ids in the mended file. */
  readonly #parents = new Map<string, string>();

  constructor(seats: Seats, rows: readonly JsonObject[]) {
    this.#seats = seats;
    const isEmpty = seats.all.length === 0;
    // A row outside the talk is of use only where nothing is left.
    const meant = rows.filter((row) => isEmpty || entryOf(row) !== "");
    const findSeat = matchSeats(seats, meant);
    // The id in the mended file for each that the store would write.
    const ids = new Map<unknown, string | undefined>();
    for (const row of meant) {
      const seat = findSeat(row);
      const parent = ids.get(row.parentUuid);
      const isRow = isEmpty || seat !== undefined || !isQueued(row);
      ids.set(row.uuid, isRow ? this.#add(row, seat, parent) : parent);
    }
    for (const { seat } of this.all) if (seat !== undefined) this.#handOn(seat);
  }

  /** Tells whether a prompt came after all rows that the store has read. */
  isNew(seat: Seat): boolean {
    return seat.isPrompt && seat.at > this.#lastKnown && this.find(seat) === undefined;
  }

  /** Returns the stored row with the id of a row, or of its entry. */
  find({ uuid, entry }: Pick<Seat, "uuid" | "entry">): StoredRow | undefined {
    return this.#byId.get(uuid) ?? this.#byId.get(entry);
  }

  /** Returns the row that only the store has with this id. */
  findMissing(uuid: string | null | undefined): StoredRow | undefined {
    const stored = this.#byId.get(uuid ?? "");
    return stored?.uuid === uuid && stored?.seat === undefined ? stored : undefined;
  }

  /** Returns the row that one follows in the store. */
  parentOf(uuid: string): string | undefined {
    return this.#parents.get(uuid);
  }

  /** Tells whether a row passes over the one that it follows in the store: it may have the head of a lost row and the tail of a later one. */
  passesOver({ uuid, parent }: Seat): boolean {
    return this.findMissing(this.parentOf(uuid)) !== undefined && this.#climb(parent).to !== undefined;
  }

  #add(row: JsonObject, seat: Seat | undefined, parent: string | undefined): string {
    const [entry, uuid] = [entryOf(row), seat?.uuid ?? textOf(row, "uuid") ?? ""];
    const stored = { row, at: this.all.length, uuid, seat };
    this.all.push(stored);
    this.#lastKnown = Math.max(this.#lastKnown, seat?.at ?? -1);
    if (uuid === entry || !this.#byId.has(entry)) this.#byId.set(entry, stored);
    this.#byId.set(uuid, stored);
    if (parent !== undefined && parent !== uuid && !this.#parents.has(uuid)) this.#parents.set(uuid, parent);
    return uuid;
  }

  /** Climbs over rows that the store passed over to one that it has. */
  #climb(from: string | null): { readonly over: ReadonlySet<Seat>; readonly to: Seat | undefined } {
    const { byUuid } = this.#seats;
    const over = new Set<Seat>();
    for (let to = byUuid.get(from ?? ""); to !== undefined; to = byUuid.get(to.parent ?? "")) {
      if (this.find(to) !== undefined) return { over, to };
      if (over.has(to)) break;
      over.add(to);
    }
    return { over, to: undefined };
  }

  /** A row that the store passed over follows what its first descendant follows there; one that begins a talk stays the beginning. */
  #handOn({ uuid, parent }: Seat): void {
    const stored = this.#parents.get(uuid);
    if (stored === undefined) return;
    const { at = -1 } = this.#seats.byUuid.get(stored) ?? {};
    for (const each of this.#climb(parent).over)
      if ((each.parent !== null || each.at > at) && !this.#parents.has(each.uuid))
        this.#parents.set(each.uuid, stored);
  }
}

/** A prompt that was typed while the model worked was never a row of the file. */
export function isQueued(row: JsonObject): boolean {
  return isQueuedEntry({ id: entryOf(row) as EntryId });
}

/** Returns what finds the row of a file that stands for one of the store. */
function matchSeats({ all, byUuid }: Seats, rows: readonly JsonObject[]) {
  // A copy stands for its original where the file lacks that; the first of several counts.
  const copies = new Map(rows.length === 0 ? [] : all.toReversed().map((seat) => [seat.entry, seat]));
  // Entries of which Carryon wrote the rows: the file has each of them under its own id.
  const written = new Set(
    rows.flatMap((row) =>
      row.forkedFrom !== undefined && byUuid.has(textOf(row, "uuid") ?? "") ? entryOf(row) : [],
    ),
  );
  return (row: JsonObject): Seat | undefined => {
    const entry = entryOf(row);
    const own = byUuid.get(textOf(row, "uuid") ?? "");
    return own ?? (written.has(entry) ? undefined : (byUuid.get(entry) ?? copies.get(entry)));
  };
}
