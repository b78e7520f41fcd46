import type { Entry } from "../../sessions/entry.ts";
import type { EntryId, Strand } from "../../sessions/ids.ts";
import { hookStrand } from "../../sessions/observations.ts";

/** Follows the entries of a session and tells where one does not continue the entry before it on its strand. */
export class PathTracker {
  readonly #last = new Map<Strand, EntryId>();
  readonly #places = new Map<EntryId, number>();

  /** Returns what to say about where an entry continues, or undefined when it just follows. */
  follow({ id, seq, parent, strand }: Entry): string | undefined {
    // What hooks saw follows the clock, and some of it is left out.
    if (strand === hookStrand) return undefined;
    const before = this.#last.get(strand);
    this.#last.set(strand, id);
    this.#places.set(id, seq);
    // Of the first entry that is shown of a strand, what came before it may not have been read.
    if (before === undefined || before === parent) return undefined;
    if (parent === null) return "a new start";
    return `goes on from ${this.#describe(parent)}`;
  }

  #describe(entry: EntryId): string {
    const place = this.#places.get(entry);
    return place === undefined ? entry : `#${place}`;
  }
}
