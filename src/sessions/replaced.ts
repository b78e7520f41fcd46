import type { EntryId } from "./ids.ts";
import { readScrubNote } from "./scrub-note.ts";

/** An entry whose body was replaced, as it is met on the way along a chain. */
interface Replacement {
  /** How many entries come before it, and the hash of the last of them. */
  readonly after: number;
  readonly head: string;
  /** SHA-256 of what stands there now, in hex. */
  readonly hash: string;
}

/** Follows a chain and knows which replaced bodies a later entry of it vouches for. Of several notes the last counts. */
export class Replaced {
  readonly #found = new Map<EntryId, Replacement>();
  readonly #noted = new Map<EntryId, string>();

  add(id: EntryId, replacement: Replacement): void {
    this.#found.set(id, replacement);
  }

  /** Takes the body of an event into account. */
  note(body: string): void {
    if (this.#found.size === 0) return;
    for (const { id, hash } of readScrubNote(body)) if (this.#found.has(id)) this.#noted.set(id, hash);
  }

  firstUnnoted(): (Replacement & { readonly id: EntryId }) | undefined {
    for (const [id, found] of this.#found) if (this.#noted.get(id) !== found.hash) return { id, ...found };
    return undefined;
  }
}
