import type { JsonObject } from "../../sessions/entry.ts";
import type { Seat, Seats } from "./seats.ts";
import type { StoredRow, StoredRows } from "./stored-rows.ts";
import { textOf } from "./wire.ts";

/** How the rows of a file become those of a mended one. */
interface MendedRows {
  /** The rows that come into the file, in their order, each with the line behind which it stands. */
  readonly added: readonly { readonly line: number; readonly row: JsonObject }[];
  /** The rows of the file that follow another one than it says. */
  readonly parents: ReadonlyMap<string, string | null>;
  /** A row that moves to the end. */
  readonly moved: Seat | undefined;
}

/**
 * Joins the rows of a file with those that only the store has. Pure.
 *
 * Each of these stands behind all rows that the store has before it, as late as the rows that follow it allow. So the last row
 * of the store is the last one of the file, from which the client goes on, unless somebody has gone on from another one since.
 */
export function mendRows(
  seats: Seats,
  stored: StoredRows,
  closings: ReadonlyMap<string, readonly JsonObject[]>,
  end: number,
): MendedRows {
  const mender = new Mender(seats, stored);
  for (const seat of seats.all) mender.take(seat, closings.get(seat.uuid) ?? []);
  return mender.finish(end);
}

class Mender {
  readonly #seats: Seats;
  readonly #stored: StoredRows;
  /** The rows that only the store has and that did not come yet. */
  readonly #missing: StoredRow[];
  readonly #added: { readonly line: number; readonly row: JsonObject }[] = [];
  readonly #changed = new Map<string, string | null>();
  /** The parents of all rows so far. */
  readonly #parents = new Map<string, string | null>();
  /** The row before the next one, in the talk and beside it. */
  readonly #before = new Map<boolean, string>();
  /** The last of the rows behind one of the store that the store passed over. */
  readonly #ends = new Map<string, string>();
  readonly #starts = new Map<string, string>();

  constructor(seats: Seats, stored: StoredRows) {
    this.#seats = seats;
    this.#stored = stored;
    this.#missing = stored.all.filter(({ seat }) => seat === undefined);
  }

  take(seat: Seat, closings: readonly JsonObject[]): void {
    const { uuid, line, isTalk } = seat;
    this.#bringBack(this.#countNeeded(seat), line - 1);
    const parent = this.#findParent(seat);
    if (parent !== seat.parent) this.#changed.set(uuid, parent);
    this.#put(uuid, parent, isTalk);
    if (isTalk && parent !== null && this.#stored.find(seat) === undefined) this.#extend(uuid, parent);
    for (const row of closings) {
      this.#added.push({ line, row });
      this.#put(textOf(row, "uuid") ?? "", uuid, isTalk);
    }
  }

  finish(end: number): MendedRows {
    this.#bringBack(this.#stored.all.length, end);
    const leaf = this.#findMoved();
    // It came back in front of a row that follows it, and that stands too early.
    const early = this.#added.filter(({ row }) => leaf !== undefined && row.uuid === leaf.uuid);
    const others = this.#added.filter((each) => !early.includes(each));
    const added = [...others, ...early.map(({ row }) => ({ line: end, row }))];
    return { added, parents: this.#changed, moved: leaf?.seat };
  }

  /** Returns how many rows of the store stand before a row. */
  #countNeeded(seat: Seat): number {
    const { uuid, parent } = seat;
    const known = this.#stored.find(seat);
    if (known !== undefined) return known.at;
    // Somebody has gone on without what is missing.
    if (this.#isNew(seat)) return this.#stored.all.length;
    const isLost = parent !== null && !this.#seats.byUuid.has(parent);
    const needed =
      this.#stored.findMissing(parent) ??
      (isLost ? this.#stored.findMissing(this.#stored.parentOf(uuid)) : undefined);
    return needed === undefined ? 0 : needed.at + 1;
  }

  #bringBack(count: number, line: number): void {
    const later = this.#missing.findIndex(({ at }) => at >= count);
    for (const { uuid, row } of this.#missing.splice(0, later < 0 ? this.#missing.length : later)) {
      const parent = this.#endOf(this.#stored.parentOf(uuid)) ?? null;
      this.#added.push({ line, row: uuid === "" ? row : { ...row, parentUuid: parent } });
      if (uuid !== "") this.#put(uuid, parent, true);
    }
  }

  /** Returns the parent of a row: its own, else the one that the store knows, else the row before. */
  #findParent(seat: Seat): string | null {
    const { uuid, parent, message, results, isTalk } = seat;
    const stored = this.#stored.parentOf(uuid);
    // An answer or a result follows something, and so does a row that follows something in the store.
    if (parent === null && message === undefined && results.length === 0 && stored === undefined) return null;
    const isThere = this.#seats.byUuid.has(parent ?? "") || this.#stored.findMissing(parent) !== undefined;
    const missing = this.#stored.find(seat)?.seat === seat ? this.#stored.findMissing(stored) : undefined;
    if (isThere && (missing === undefined || this.#wayFrom(parent ?? undefined).includes(missing.uuid)))
      return parent;
    const others = [this.#endOf(stored), this.#before.get(isTalk)];
    return others.find((other) => other !== undefined && !this.#wayFrom(other).includes(uuid)) ?? null;
  }

  #put(uuid: string, parent: string | null, isTalk: boolean): void {
    this.#parents.set(uuid, parent);
    this.#before.set(isTalk, uuid);
  }

  #endOf(uuid: string | undefined): string | undefined {
    return uuid === undefined ? undefined : (this.#ends.get(uuid) ?? uuid);
  }

  /** Lets what comes back behind a row follow what the client noted behind that. */
  #extend(uuid: string, parent: string): void {
    const start = this.#starts.get(parent) ?? parent;
    if (this.#endOf(start) !== parent) return;
    this.#starts.set(uuid, start);
    this.#ends.set(start, uuid);
  }

  /** Returns the last row of the store where the client would go on from one that does not follow it. */
  #findMoved(): StoredRow | undefined {
    const [leaf, last] = [this.#stored.all.at(-1), this.#before.get(true)];
    const { byUuid } = this.#seats;
    // Where somebody has gone on from another row, that counts.
    const isMeant = (uuid: string) => uuid === leaf?.uuid || this.#isNew(byUuid.get(uuid));
    return this.#wayFrom(last).some(isMeant) ? undefined : leaf;
  }

  #isNew(seat: Seat | undefined): boolean {
    return seat !== undefined && this.#stored.isNew(seat);
  }

  /** Returns the rows from one to the first. */
  #wayFrom(uuid: string | undefined): readonly string[] {
    const way = new Set<string>();
    for (let at = uuid; at !== undefined && !way.has(at); ) {
      way.add(at);
      at = this.#parents.get(at) ?? this.#seats.byUuid.get(at)?.parent ?? undefined;
    }
    return [...way];
  }
}
