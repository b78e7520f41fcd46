import type { EntryId } from "../../conversation/ids.ts";

/**
 * A row that was read: the entry that stands for it (`true`: the one with its own id; another: its nearest recorded
 * ancestor, or its last revision; null: none), and the digests of what was recorded of it, with spaces between.
 */
export type KnownRow = readonly [uuid: string, entry: EntryId | true | null, digests: string];

/** A parent further back than this is not found here; the log has it, if something was recorded of it. */
const remembered = 2000;

/** The rows of a transcript, as far as later rows refer to them. */
export class KnownRows {
  readonly #rows: Map<string, KnownRow>;

  constructor(rows: readonly KnownRow[]) {
    this.#rows = new Map(rows.map((row) => [row[0], row]));
  }

  /** Returns the newest rows, in the order of their first sight. */
  list(): readonly KnownRow[] {
    return [...this.#rows.values()];
  }

  /** Returns the entry that stands for a row: null when there is none, undefined when the row is not known. */
  entryOf(uuid: string): EntryId | null | undefined {
    const row = this.#rows.get(uuid);
    if (row === undefined) return undefined;
    return row[1] === true ? (uuid as EntryId) : row[1];
  }

  /** Tells what was recorded of a row: nothing, this very content, or another. */
  recordOf(uuid: string, digest: string): "nothing" | "same" | "other" {
    const digests = this.#rows.get(uuid)?.[2] ?? "";
    if (digests === "") return "nothing";
    return digests.split(" ").includes(digest) ? "same" : "other";
  }

  /** Remembers that an entry was made of a row. */
  record(uuid: string, entry: EntryId, digest: string): void {
    const before = this.#rows.get(uuid)?.[2] ?? "";
    const digests = before === "" ? digest : `${before} ${digest}`;
    this.#set([uuid, entry === uuid ? true : entry, digests]);
  }

  /** Remembers that another entry stands for a row: an ancestor of a row of which nothing is recorded, or what came after it. */
  stand(uuid: string, entry: EntryId | null): void {
    this.#set([uuid, entry === uuid ? true : entry, this.#rows.get(uuid)?.[2] ?? ""]);
  }

  /** Returns the rows between two, both included. */
  between(from: string, to: string): readonly string[] {
    const uuids = [...this.#rows.keys()];
    return uuids.slice(uuids.indexOf(from), uuids.indexOf(to) + 1);
  }

  /** Returns the entries that were made of these rows. */
  own(uuids: readonly string[]): readonly EntryId[] {
    return uuids.filter((uuid): uuid is EntryId => (this.#rows.get(uuid)?.[2] ?? "") !== "");
  }

  #set(row: KnownRow): void {
    this.#rows.set(row[0], row);
    if (this.#rows.size <= remembered) return;
    const oldest = this.#rows.keys().next();
    if (oldest.done !== true) this.#rows.delete(oldest.value);
  }
}
