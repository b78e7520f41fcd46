import type { EntryId } from "../../sessions/ids.ts";

/**
 * A row that was read: the entry that stands for it (`true`: the one with its own id; another: its nearest recorded
 * ancestor, or its last revision; null: none), and the digests of what was recorded of it, with spaces between. What came
 * last is at the end; `*2` behind a digest says how often it came. A copy names the entry that it was made of.
 */
export type KnownRow = readonly [
  uuid: string,
  entry: EntryId | true | null,
  digests: string,
  original?: EntryId,
];

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

  /** Tells what was recorded of a row: nothing, this very content last, or how often this content and then another. */
  recordOf(uuid: string, digest: string): "nothing" | "last" | number {
    const records = this.#recordsOf(uuid);
    if (records.length === 0) return "nothing";
    return records.at(-1)?.digest === digest ? "last" : timesOf(records, digest);
  }

  /** Remembers that an entry was made of a row. */
  record(uuid: string, entry: EntryId, digest: string): void {
    const records = this.#recordsOf(uuid);
    const others = records.filter((each) => each.digest !== digest);
    const digests = [...others, { digest, times: timesOf(records, digest) + 1 }].map(render).join(" ");
    this.#set(uuid, entry, digests);
  }

  /** Remembers that another entry stands for a row: an ancestor of a row of which nothing is recorded, or what came after it. */
  stand(uuid: string, entry: EntryId | null): void {
    this.#set(uuid, entry, this.#rows.get(uuid)?.[2] ?? "");
  }

  /** Returns the rows between two, both included. */
  between(from: string, to: string): readonly string[] {
    const uuids = [...this.#rows.keys()];
    return uuids.slice(uuids.indexOf(from), uuids.indexOf(to) + 1);
  }

  /** Returns the entries that were made of these rows. */
  own(uuids: readonly string[]): readonly EntryId[] {
    return uuids.flatMap((uuid) => {
      const [, , digests = "", original = uuid as EntryId] = this.#rows.get(uuid) ?? [];
      return digests === "" ? [] : [original];
    });
  }

  #recordsOf(uuid: string): readonly Recorded[] {
    const digests = this.#rows.get(uuid)?.[2] ?? "";
    return digests === "" ? [] : digests.split(" ").map(parse);
  }

  #set(uuid: string, entry: EntryId | null, digests: string): void {
    const original = this.#rows.get(uuid)?.[3];
    const stands = entry === uuid ? true : entry;
    this.#rows.set(
      uuid,
      original === undefined ? [uuid, stands, digests] : [uuid, stands, digests, original],
    );
    if (this.#rows.size <= remembered) return;
    const oldest = this.#rows.keys().next();
    if (oldest.done !== true) this.#rows.delete(oldest.value);
  }
}

/** A content of a row, and how often the row came with it after it had come with another. */
interface Recorded {
  readonly digest: string;
  readonly times: number;
}

function parse(text: string): Recorded {
  const [digest = "", times = "1"] = text.split("*");
  return { digest, times: Number(times) };
}

function render({ digest, times }: Recorded): string {
  return times === 1 ? digest : `${digest}*${times}`;
}

function timesOf(records: readonly Recorded[], digest: string): number {
  return records.find((each) => each.digest === digest)?.times ?? 0;
}
