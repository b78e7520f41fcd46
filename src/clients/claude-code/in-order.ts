import type { ChainRow, Row } from "./wire.ts";

/**
 * Returns rows so that none comes before its parent, if both are among them; otherwise in their order.
 *
 * A client that has just begun may write an answer before the prompt that it answers.
 */
export function inOrder(rows: readonly Row[], isKnown: (uuid: string) => boolean): readonly Row[] {
  const order = new Order(rows, isKnown);
  for (const row of rows) order.take(row);
  // What is left waits for one another in a circle: it begins with the row that came first.
  for (const row of rows) if (row.family === "chain" && order.leave(row)) order.release(row);
  return order.rows;
}

class Order {
  readonly rows: Row[] = [];
  readonly #isKnown: (uuid: string) => boolean;
  /** The ids of rows that are not in order yet. */
  readonly #coming: Set<string>;
  /** Rows by the parent that they wait for. */
  readonly #waiting = new Map<string, readonly ChainRow[]>();

  constructor(rows: readonly Row[], isKnown: (uuid: string) => boolean) {
    this.#isKnown = isKnown;
    this.#coming = new Set(rows.flatMap((row) => (row.family === "chain" ? [row.uuid] : [])));
  }

  take(row: Row): void {
    if (row.family !== "chain") this.rows.push(row);
    else if (this.#mustWait(row)) this.#wait(row);
    else this.release(row);
  }

  /** Takes a row, those that waited for it, and those that waited for them. */
  release(first: ChainRow): void {
    const ready = [first];
    for (let row = ready.pop(); row !== undefined; row = ready.pop()) {
      this.rows.push(row);
      this.#coming.delete(row.uuid);
      const next = this.#waiting.get(row.uuid);
      if (next === undefined) continue;
      ready.push(...next.toReversed());
      this.#waiting.delete(row.uuid);
    }
  }

  /** Lets a row no longer wait; false when it does not. */
  leave(row: ChainRow): boolean {
    const parent = row.parentUuid ?? "";
    const before = this.#waiting.get(parent) ?? [];
    const others = before.filter((each) => each !== row);
    if (others.length === 0) this.#waiting.delete(parent);
    else this.#waiting.set(parent, others);
    return others.length < before.length;
  }

  #mustWait({ uuid, parentUuid: parent }: ChainRow): boolean {
    return parent !== null && parent !== uuid && this.#coming.has(parent) && !this.#isKnown(parent);
  }

  #wait(row: ChainRow): void {
    const parent = row.parentUuid ?? "";
    this.#waiting.set(parent, [...(this.#waiting.get(parent) ?? []), row]);
  }
}
